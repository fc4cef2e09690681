/* Text for people: widths, wrapping, numbers. The C locale is never left, so printf is safe. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Columns that a text takes on a terminal. */
size_t text_width(const char *text);
/* Bytes of the longest start of a text that takes at most `columns` columns. */
size_t text_cut(const char *text, size_t columns);
/* The longest end of a text that takes at most `columns` columns. */
const char *text_tail(const char *text, size_t columns);
/* Copy with control bytes and bytes that are no UTF-8 replaced, so that a file's name can neither
   drive a terminal nor break a line. Returns buffer. */
const char *text_clean(const char *text, char *buffer, size_t size);
/* The same, with the front cut where it would take more than `columns` columns. */
const char *text_clean_path(const char *path, size_t columns, char *buffer, size_t size);

/* Width of the terminal behind a descriptor; 80 where there is none. */
int text_terminal_width(int descriptor);

/* Print a paragraph: the first line behind `first`, the others indented as far, none longer than
   `width` columns unless a single word is. Where `first` takes more than half of the width the
   paragraph begins below it. */
void text_wrap(FILE *out, int width, const char *first, const char *text);

/* At most three significant digits, never an exponent: "741", "92.6", "8.33", "0.12", "0.005"; "-"
   when negative. */
const char *text_number(double value, char *buffer, size_t size);
/* "92.6 MB/s". */
const char *text_bytes_per_s(double bytes_per_s, char *buffer, size_t size);
/* "741 Mb/s  92.6 MB/s"; "-" when negative. */
const char *text_rate(double bits_per_s, char *buffer, size_t size);
/* As sc_format_bytes(); "-" when negative. */
const char *text_bytes(double bytes, char *buffer, size_t size);
/* "90 us", "41 ms", "0.12 s", "12.5 s", "3 min 20 s"; "-" when negative. */
const char *text_seconds(double seconds, char *buffer, size_t size);
/* "th", "st", "nd" or "rd" for an ordinal. */
const char *text_ordinal(int64_t number);

#endif
