/* One line of a log of strace: which call it shows, of which thread and file, when and how much. */
#ifndef SCI_TRACE_LINE_H
#define SCI_TRACE_LINE_H

#include "core/core.h"

/* Whether a text ends so. */
bool sci_trace_ends_with(const char *text, const char *end);

enum sci_call {
    SCI_CALL_NONE = 0, /* no call, or one that tells nothing of reading */
    SCI_CALL_OPEN,
    SCI_CALL_CLOSE,
    SCI_CALL_SEEK,
    SCI_CALL_READ,    /* from the descriptor's own position */
    SCI_CALL_PREAD,   /* from an offset */
    SCI_CALL_MAP,     /* mmap of a file */
    SCI_CALL_SUBMIT,  /* io_submit: reads that end later; see sci_trace_submitted() */
    SCI_CALL_COLLECT, /* io_getevents: so many of them ended */
    SCI_CALL_HIDDEN,  /* io_uring and the like: reads that strace does not show */
    SCI_CALL_EXIT     /* the thread ended */
};

enum sci_phase {
    SCI_PHASE_WHOLE = 0, /* begun and ended, and no other thread's line in between */
    SCI_PHASE_BEGUN,     /* "<unfinished ...>" */
    SCI_PHASE_RESUMED    /* "<... read resumed>" */
};

enum sci_stamp {
    SCI_STAMP_NONE = 0,
    SCI_STAMP_EPOCH,   /* -ttt */
    SCI_STAMP_CLOCK,   /* -tt: seconds of the day */
    SCI_STAMP_SECONDS, /* -t: the same without a fraction */
    SCI_STAMP_SINCE    /* -r: seconds since the line before */
};

/* What a line tells. Numbers that it does not tell are SC_UNKNOWN, times negative. The path points
   into the line, with strace's escapes; NULL: none. */
struct sci_trace_event {
    enum sci_call call;
    enum sci_phase phase;
    enum sci_stamp stamp;
    double time_s, took_s;
    int64_t thread;
    int64_t descriptor, asked_bytes, offset;
    int64_t result; /* bytes, descriptor or position; SC_UNKNOWN: failed, or not told */
    const char *path;
    size_t path_length;
    bool of_descriptor; /* the descriptor came with its path (-y) */
    bool named;         /* path is as the program wrote it, not what the descriptor stands for */
    bool direct;        /* opened with O_DIRECT */
    bool no_file;       /* the descriptor is a pipe, a socket or the like */
    const char *arguments;
};

/* The call's name of a hidden call ("io_uring_enter") is in *event's path. */
void sci_trace_line_parse(const char *line, struct sci_trace_event *event);

/* The next read of SCI_CALL_SUBMIT from *at on, first the event's arguments, as if it were a call
   of its own; false: there is none. */
bool sci_trace_submitted(const char **at, const struct sci_trace_event *event,
                         struct sci_trace_event *read);

/* Undo strace's escapes (\", \\, \n, \303) of a path; what does not fit is cut. */
void sci_trace_unescape(const char *path, size_t length, char *text, size_t size);

#endif
