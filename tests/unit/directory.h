/* A directory of its own for tests that create files on a real file system. */
#ifndef TEST_DIRECTORY_H
#define TEST_DIRECTORY_H

#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static char directory[64];

/* A set-up of cmocka. */
static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/var/tmp/streamcalc.XXXXXX");
    assert_non_null(mkdtemp(directory));
    return 0;
}

static inline int entries(const char *path)
{
    int count = 0;
    DIR *stream = opendir(path);
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(stream);
    return count;
}

#endif
