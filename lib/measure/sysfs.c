#include "measure/sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sci_sysfs_path(char *path, size_t size, const char *directory, const char *name)
{
    return (size_t)snprintf(path, size, "%s/%s", directory, name) < size;
}

static void trim(char *text)
{
    size_t length = strcspn(text, "\n");
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\0';
    size_t spaces = strspn(text, " \t");
    memmove(text, text + spaces, length - spaces + 1);
}

bool sci_sysfs_text(const char *directory, const char *name, char *text, size_t size)
{
    char path[PATH_MAX];
    text[0] = '\0';
    if (!sci_sysfs_path(path, sizeof path, directory, name))
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool read = fgets(text, (int)size, file) != NULL;
    fclose(file);
    if (!read)
        text[0] = '\0';
    trim(text);
    return read;
}

int64_t sci_whole_number(const char *text)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || *end || !isdigit((unsigned char)*text))
        return SC_UNKNOWN;
    return value;
}

int64_t sci_sysfs_number(const char *directory, const char *name)
{
    char text[32];
    return sci_sysfs_text(directory, name, text, sizeof text) ? sci_whole_number(text) : SC_UNKNOWN;
}

bool sci_sysfs_exists(const char *directory, const char *name)
{
    char path[PATH_MAX];
    return sci_sysfs_path(path, sizeof path, directory, name) && access(path, F_OK) == 0;
}

bool sci_sysfs_link(const char *directory, const char *name, char *text, size_t size)
{
    char path[PATH_MAX], real[PATH_MAX];
    text[0] = '\0';
    if (!sci_sysfs_path(path, sizeof path, directory, name) || !realpath(path, real))
        return false;
    sci_copy(text, size, strrchr(real, '/') + 1);
    return true;
}

bool sci_begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* ---- directories ---- */

/* "sdz" before "sdaa", "sda1" before "sdb", "nvme2n1" before "nvme10n1". */
static int by_name(const void *a, const void *b)
{
    const char *first = a, *second = b;
    int letters[2] = {(int)strcspn(first, "0123456789"), (int)strcspn(second, "0123456789")};
    int order = letters[0] - letters[1];
    if (order == 0)
        order = strncmp(first, second, (size_t)letters[0]);
    if (order == 0)
        order = (int)strlen(first) - (int)strlen(second);
    return order ? order : strcmp(first, second);
}

bool sci_entries_read(const char *directory, const char *start, sci_entries *entries)
{
    size_t capacity = 0;
    *entries = (sci_entries){0};
    DIR *stream = opendir(directory);
    if (!stream)
        return errno != ENOMEM;
    bool memory = true;
    for (struct dirent *entry; entries->count < SCI_ENTRIES_MAX && (entry = readdir(stream));) {
        if (entry->d_name[0] == '.' || !sci_begins(entry->d_name, start))
            continue;
        memory = sci_grow(&entries->names, entries->count, &capacity, sizeof *entries->names);
        if (!memory)
            break;
        sci_copy(entries->names[entries->count++], sizeof *entries->names, entry->d_name);
    }
    closedir(stream);
    if (!memory)
        sci_entries_free(entries);
    else if (entries->count)
        qsort(entries->names, entries->count, sizeof *entries->names, by_name);
    return memory;
}

void sci_entries_free(sci_entries *entries)
{
    free(entries->names);
    *entries = (sci_entries){0};
}

const char *sci_bits_text(char *text, size_t size, int64_t bits_per_s)
{
    bool giga = bits_per_s >= 1000000000;
    char number[32];
    sci_print_trimmed(number, sizeof number, (double)bits_per_s / (giga ? 1e9 : 1e6), giga ? 2 : 1);
    snprintf(text, size, "%s %s", number, giga ? "Gb/s" : "Mb/s");
    return text;
}

bool sci_add_text(char *list, size_t size, const char *separator, const char *text)
{
    size_t used = strlen(list), wanted = strlen(used ? separator : "") + strlen(text);
    if (sci_begins(list + (used >= 3 ? used - 3 : used), "..."))
        return false;
    if (used + wanted + sizeof "..." > size) {
        sci_copy(list + used, size - used, "...");
        return false;
    }
    snprintf(list + used, size - used, "%s%s", used ? separator : "", text);
    return true;
}

bool sci_list_holds(const char *list, const char *separator, const char *text)
{
    size_t length = strlen(text), gap = strlen(separator);
    for (const char *at = list; at; at = strstr(at, separator) ? strstr(at, separator) + gap : NULL)
        if (strncmp(at, text, length) == 0 &&
            (!at[length] || strncmp(at + length, separator, gap) == 0))
            return true;
    return false;
}
