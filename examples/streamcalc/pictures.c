#include "pictures.h"

#include "text.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

enum { DEPTH = 4, NAMES = 4000 };

static bool named_as_picture(const char *name)
{
    static const char *const endings[] = {"dpx", "exr",  "tif", "tiff", "cin", "tga", "png",
                                          "jpg", "jpeg", "jp2", "j2c",  "ari", "dng"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < COUNT_OF(endings); i++)
        if (strcasecmp(dot + 1, endings[i]) == 0)
            return true;
    return false;
}

/* names counts down over all levels: a huge tree is not searched to its end. */
static bool search(const char *path, int depth, int *names)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    bool found = false;
    while (directory && !found && --*names > 0 && (entry = readdir(directory))) {
        char below[PATH_MAX];
        if (entry->d_name[0] == '.')
            continue;
        found = entry->d_type != DT_DIR && named_as_picture(entry->d_name);
        int length = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (entry->d_type == DT_DIR && depth > 0 && length > 0 && (size_t)length < sizeof below)
            found = search(below, depth - 1, names);
    }
    if (directory)
        closedir(directory);
    return found;
}

bool pictures_in(const char *path)
{
    int names = NAMES;
    return search(path, DEPTH, &names);
}
