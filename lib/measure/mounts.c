#include "measure/mounts.h"

#include "io/os.h"
#include "measure/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NETWORK = 1, MEMORY = 2, ONE_SERVER = 4, OWN_NAME = 8 };

/* "fuse." names stand without their prefix. Of network file systems some read from several
   servers, keep copies on a disk or compress on the way: those are not of one server. "nas:media"
   of rclone is what its configuration calls a remote, which may be any store. */
static const struct {
    const char *file_system;
    unsigned flags;
} kinds[] = {{"nfs", NETWORK | ONE_SERVER},
             {"nfs4", NETWORK | ONE_SERVER},
             {"cifs", NETWORK | ONE_SERVER},
             {"smb3", NETWORK | ONE_SERVER},
             {"smbfs", NETWORK | ONE_SERVER},
             {"ncpfs", NETWORK},
             {"afs", NETWORK | OWN_NAME},
             {"ceph", NETWORK},
             {"9p", NETWORK},
             {"lustre", NETWORK},
             {"beegfs", NETWORK | OWN_NAME},
             {"gpfs", NETWORK | OWN_NAME},
             {"glusterfs", NETWORK},
             {"pvfs2", NETWORK},
             {"davfs", NETWORK},
             {"sshfs", NETWORK},
             {"rclone", NETWORK | OWN_NAME},
             {"s3fs", NETWORK | OWN_NAME},
             {"goofys", NETWORK | OWN_NAME},
             {"gcsfuse", NETWORK | OWN_NAME},
             {"curlftpfs", NETWORK},
             {"juicefs", NETWORK | OWN_NAME},
             {"cephfs", NETWORK},
             {"fuse_dfs", NETWORK | OWN_NAME},
             {"mount-s3", NETWORK | OWN_NAME},
             {"moosefs", NETWORK},
             {"mfs", NETWORK},
             {"smbnetfs", NETWORK | OWN_NAME},
             {"tmpfs", MEMORY},
             {"ramfs", MEMORY},
             {"devtmpfs", MEMORY},
             {"hugetlbfs", MEMORY},
             {"rootfs", MEMORY},
             {"sysfs", MEMORY},
             {"proc", MEMORY},
             {"devpts", MEMORY},
             {"cgroup", MEMORY},
             {"cgroup2", MEMORY},
             {"debugfs", MEMORY},
             {"tracefs", MEMORY},
             {"securityfs", MEMORY},
             {"selinuxfs", MEMORY},
             {"configfs", MEMORY},
             {"pstore", MEMORY},
             {"efivarfs", MEMORY},
             {"bpf", MEMORY},
             {"mqueue", MEMORY},
             {"binfmt_misc", MEMORY},
             {"fusectl", MEMORY},
             {"resctrl", MEMORY},
             {"rpc_pipefs", MEMORY},
             {"nfsd", MEMORY}};

sci_mount sci_mount_unknown(void)
{
    return (sci_mount){.mount_point = "", .file_system = "", .source = "", .options = ""};
}

/* ---- options ---- */

const char *sci_option_find(const char *options, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = options; *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, name, length) == 0 && strchr("=,", at[length]))
            return at + length + (at[length] == '=');
    return NULL;
}

bool sci_option_text(const char *options, const char *name, char *text, size_t size)
{
    const char *value = sci_option_find(options, name);
    text[0] = '\0';
    if (value)
        snprintf(text, size, "%.*s", (int)strcspn(value, ","), value);
    return value != NULL;
}

int64_t sci_option_number(const char *options, const char *name)
{
    char text[32];
    return sci_option_text(options, name, text, sizeof text) ? sci_whole_number(text) : SC_UNKNOWN;
}

/* ---- mountinfo ---- */

struct line {
    unsigned long long id;
    unsigned device_major, device_minor;
    char *mount_point, *options, *file_system, *source, *super_options;
};

/* "\040" and the like are bytes that would break the line. */
static void decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' &&
            from[2] <= '7' && from[3] >= '0' && from[3] <= '7') {
            *to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

static char *next_field(char **line)
{
    char *field = *line + strspn(*line, " \n");
    char *end = field + strcspn(field, " \n");
    *line = *end ? end + 1 : end;
    *end = '\0';
    return field;
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue" */
static bool parse_mount(char *line, struct line *mount)
{
    char *field;
    mount->id = strtoull(next_field(&line), NULL, 10);
    next_field(&line);
    if (sscanf(next_field(&line), "%u:%u", &mount->device_major, &mount->device_minor) != 2)
        return false;
    next_field(&line);
    mount->mount_point = next_field(&line);
    mount->options = next_field(&line);
    while (*(field = next_field(&line)) && strcmp(field, "-") != 0)
        ;
    mount->file_system = next_field(&line);
    mount->source = next_field(&line);
    mount->super_options = next_field(&line);
    decode(mount->mount_point);
    decode(mount->source);
    return *mount->file_system != '\0';
}

static bool lies_below(const char *path, const char *mount_point)
{
    size_t length = strlen(mount_point);
    if (strcmp(mount_point, "/") == 0)
        return path[0] == '/';
    return strncmp(path, mount_point, length) == 0 && (path[length] == '/' || !path[length]);
}

/* The mount id decides; without one the longest mount point above the path, the last of equals. */
static bool is_better(const struct line *mount, uint64_t mount_id, const char *real_path,
                      size_t best_length)
{
    if (mount_id)
        return mount->id == mount_id;
    return lies_below(real_path, mount->mount_point) && strlen(mount->mount_point) >= best_length;
}

/* Per mount first, then the file system's own without a second "rw". */
static char *join_options(sci_arena *arena, const struct line *mount)
{
    const char *super = mount->super_options;
    if (strncmp(super, "rw", 2) == 0 || strncmp(super, "ro", 2) == 0)
        super += super[2] == ',' ? 3 : super[2] == '\0' ? 2 : 0;
    return sci_arena_printf(arena, "%s%s%s", mount->options, *super ? "," : "", super);
}

static const char *behind(const char *text, const char *separator)
{
    const char *found = strstr(text, separator);
    return found && strcspn(text, "/") >= (size_t)(found - text) ? found + strlen(separator) : text;
}

char *sci_mount_server(const sci_mount *mount, sci_arena *arena)
{
    const char *source = mount->source, *start = source + strspn(source, "/");
    const bool lustre = strcmp(mount->file_system, "lustre") == 0;
    if (mount->own_name || (start == source && !strchr(source, ':')))
        return sci_arena_strdup(arena, "");
    start = behind(behind(start, "#"), "://");
    const char *user = strchr(start, '@');
    if (!lustre && user && strcspn(start, ":/") > (size_t)(user - start))
        start = user + 1;
    bool bracket = *start == '[';
    start += bracket;
    const char *end = bracket ? "]" : lustre ? "@:/" : ":/\\";
    return sci_arena_printf(arena, "%.*s", (int)strcspn(start, end), start);
}

bool sci_mount_name(sci_mount *mount, const char *file_system, sci_arena *arena)
{
    const char *kind = file_system;
    unsigned flags = 0;
    mount->file_system = sci_arena_strdup(arena, file_system);
    mount->fuse = strcmp(kind, "fuse") == 0 || sci_begins(kind, "fuse.") ||
                  sci_begins(kind, "fuseblk");
    if (sci_begins(kind, "fuse."))
        kind += strlen("fuse.");
    for (size_t i = 0; i < SCI_COUNT(kinds); i++)
        if (strcmp(kinds[i].file_system, kind) == 0)
            flags = kinds[i].flags;
    mount->network = flags & NETWORK;
    mount->memory = flags & MEMORY;
    mount->own_name = flags & OWN_NAME;
    mount->one_server = flags & ONE_SERVER && !mount->fuse;
    return mount->file_system != NULL;
}

static bool keep(const struct line *line, sci_arena *arena, sci_mount *mount)
{
    mount->device_major = line->device_major;
    mount->device_minor = line->device_minor;
    mount->mount_point = sci_arena_strdup(arena, line->mount_point);
    mount->source = sci_arena_strdup(arena, line->source);
    mount->options = join_options(arena, line);
    mount->read_only = sci_option_find(line->options, "ro") ||
                       sci_option_find(line->super_options, "ro");
    return sci_mount_name(mount, line->file_system, arena) && mount->mount_point && mount->source &&
           mount->options;
}

bool sci_mount_find(const char *mountinfo, uint64_t mount_id, const char *real_path,
                    sci_arena *arena, sci_mount *mount)
{
    FILE *file = fopen(mountinfo, "re");
    char *text = NULL;
    size_t room = 0, best = 0;
    bool memory = true;
    if (!file)
        return true;
    while (memory && getline(&text, &room, file) > 0) {
        struct line line;
        if (!parse_mount(text, &line) || !is_better(&line, mount_id, real_path, best))
            continue;
        best = strlen(line.mount_point);
        memory = keep(&line, arena, mount);
    }
    free(text);
    fclose(file);
    return memory;
}

/* ---- overlays ---- */

/* The next of "/a:/b\\:c", which is "/a" and "/b:c". */
static char *next_layer(char **layers)
{
    char *layer = *layers, *to = layer, *from = layer;
    for (; *from && *from != ':'; from++) {
        from += *from == '\\' && from[1];
        *to++ = *from;
    }
    *layers = *from ? from + 1 : from;
    *to = '\0';
    return layer;
}

/* A container is told the paths of the machine that it runs on: here they are another's, or none.
   What lies in memory cannot hang. */
static bool layer_in_memory(const char *mountinfo, const char *layer, sci_arena *arena,
                            bool *memory)
{
    sci_os_info info;
    sci_mount mount = sci_mount_unknown();
    if (*layer != '/')
        return true;
    if (!sci_mount_find(mountinfo, 0, layer, arena, &mount))
        return false;
    *memory |= mount.memory && sci_os_stat(layer, &info) == 0 && info.directory;
    return true;
}

bool sci_mount_layers_in_memory(const char *mountinfo, const sci_mount *mount, sci_arena *arena,
                                bool *memory)
{
    bool room = true;
    if (strcmp(mount->file_system, "overlay") != 0)
        return true;
    for (const char *at = mount->options; room && *at; at += strcspn(at, ","), at += *at == ',') {
        const char *value = at + strcspn(at, "=,");
        if ((!sci_begins(at, "lowerdir") && !sci_begins(at, "upperdir")) || *value != '=')
            continue;
        char *layers = sci_arena_printf(arena, "%.*s", (int)strcspn(value + 1, ","), value + 1);
        room = layers != NULL;
        if (room)
            decode(layers);
        while (room && *layers)
            room = layer_in_memory(mountinfo, next_layer(&layers), arena, memory);
    }
    return room;
}

/* "nfsv4: bm0=0xfdffbfff,...,sessions,pnfs=not configured,lease_time=90" */
bool sci_mount_one_nfs_server(const char *mountstats)
{
    static const char key[] = "pnfs=";
    FILE *file = fopen(mountstats, "re");
    char *line = NULL;
    size_t room = 0;
    bool one = true;
    if (!file)
        return false;
    while (one && getline(&line, &room, file) > 0) {
        const char *found = strstr(line, key);
        one = !found || sci_begins(found + strlen(key), "not configured");
    }
    free(line);
    fclose(file);
    return one;
}
