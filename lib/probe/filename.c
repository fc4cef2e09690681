#include "probe/filename.h"

#include "core/core.h"

#include <stdint.h>
#include <string.h>

static const char *const footage[] = {
    "mov", "mp4",  "m4v", "m4a",  "m4b",  "mp4v", "qt",   "3gp",  "3g2",  "mj2", "mxf", "mkv",
    "mka", "webm", "ts",  "mts",  "m2ts", "m2t",  "mpg",  "mpeg", "vob",  "mod", "tod", "avi",
    "dv",  "dif",  "gxf", "lxf",  "wmv",  "asf",  "flv",  "f4v",  "ogv",  "ogg", "rm",  "rmvb",
    "r3d", "braw", "crm", "nut",  "ivf",  "y4m",  "h264", "264",  "hevc", "265", "obu", "wav",
    "w64", "bwf",  "aif", "aiff", "caf",  "flac", "mp3",  "aac",  "ac3",  "m2v", "mpv"};

static const char *const sidecars[] = {
    "xml", "xmp",     "thm",                   /* metadata and a still, of most cameras */
    "lrv", "lrf",                              /* a small copy: GoPro, DJI */
    "bim", "smi",     "ppn",     "mif",        /* XDCAM, P2 */
    "cpi", "mpl",     "bdm",     "tdt", "tid", /* AVCHD */
    "moi", "modd",    "bup",     "ifo",        /* MOD and DVD camcorders */
    "rmd", "sidecar",                          /* R3D, BRAW */
    "pek", "cfa",     "mpgindex"               /* caches of editing programs */
};

static const char *const frames[] = {"dpx", "exr", "tif", "tiff", "dng", "j2c", "j2k",
                                     "jpc", "jp2", "tga", "png",  "jpg", "jpeg"};

/* Also the kind of what is no footage: photos and thumbnails. */
static const char *const stills[] = {"png", "jpg", "jpeg"};

/* Where cameras keep those: DCF (JEITA CP-3461) of most, XAVC and XDCAM, P2. */
static const char *const still_places[] = {"DCIM", "THMBNL",    "THM",
                                           "ICON", "THUMBNAIL", "THUMBNAILS"};

static const char *const housekeeping[] = {
    "@eaDir",
    "#recycle",
    "#snapshot",
    "@tmp", /* Synology */
    "@Recycle",
    "@Recently-Snapshot",
    "~snapshot", /* QNAP, NetApp */
    "$RECYCLE.BIN",
    "RECYCLER",
    "System Volume Information", /* Windows */
    "Thumbs.db",
    "desktop.ini", /* Windows */
    "lost+found",  /* ext4 */
    "Network Trash Folder",
    "Temporary Items",
    "TheVolumeSettingsFolder", /* AFP */
};

static bool ends_as(const char *path, const char *const *endings, size_t count)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < count; i++)
        if (sci_same_letters(dot + 1, endings[i], SIZE_MAX))
            return true;
    return false;
}

bool sci_filename_is_footage(const char *path)
{
    return ends_as(path, footage, SCI_COUNT(footage));
}

bool sci_filename_is_sidecar(const char *path)
{
    return ends_as(path, sidecars, SCI_COUNT(sidecars));
}

bool sci_filename_is_frame(const char *path)
{
    return ends_as(path, frames, SCI_COUNT(frames));
}

bool sci_filename_may_be_still(const char *path)
{
    return ends_as(path, stills, SCI_COUNT(stills));
}

/* Whether one of the directories of a path has that name. */
static bool lies_in(const char *path, const char *directory)
{
    const size_t length = strlen(directory);
    for (size_t part; *path; path += part + (path[part] == '/')) {
        part = strcspn(path, "/");
        if (part == length && sci_same_letters(path, directory, length))
            return true;
    }
    return false;
}

bool sci_filename_is_still_place(const char *directory)
{
    for (size_t i = 0; i < SCI_COUNT(still_places); i++)
        if (lies_in(directory, still_places[i]))
            return true;
    return false;
}

bool sci_filename_is_housekeeping(const char *name)
{
    for (size_t i = 0; i < SCI_COUNT(housekeeping); i++)
        if (sci_same_letters(name, housekeeping[i], SIZE_MAX))
            return true;
    return name[0] == '.';
}
