#include "measure/facts.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const sci_facts_roots sci_facts_system = {"/proc/self/mountinfo", "/sys"};

enum { DEVICE_DEPTH_MAX = 8, SLAVES_MAX = 256 };

static const double DISK_BYTES_PER_S = 400e6; /* one mechanical disk's outer zone, with room */
static const double NVME_BYTES_PER_S = 16e9;  /* PCIe 5.0 x4 */
static const double MEMORY_BYTES_PER_S = 8e9; /* what a page cache gives */

struct kind {
    const char *file_system;
    bool network, memory;
};

/* "fuse." names stand without their prefix. */
static const struct kind kinds[] = {
    {"nfs", true, false},       {"nfs4", true, false},      {"cifs", true, false},
    {"smb3", true, false},      {"smbfs", true, false},     {"ncpfs", true, false},
    {"afs", true, false},       {"ceph", true, false},      {"9p", true, false},
    {"lustre", true, false},    {"beegfs", true, false},    {"gpfs", true, false},
    {"glusterfs", true, false}, {"pvfs2", true, false},     {"davfs", true, false},
    {"sshfs", true, false},     {"rclone", true, false},    {"s3fs", true, false},
    {"goofys", true, false},    {"gcsfuse", true, false},   {"curlftpfs", true, false},
    {"juicefs", true, false},   {"cephfs", true, false},    {"fuse_dfs", true, false},
    {"mount-s3", true, false},  {"moosefs", true, false},   {"mfs", true, false},
    {"smbnetfs", true, false},  {"tmpfs", false, true},     {"ramfs", false, true},
    {"devtmpfs", false, true},  {"hugetlbfs", false, true}, {"rootfs", false, true}};

sc_storage_facts sci_facts_unknown(void)
{
    return (sc_storage_facts){.mount_point = "",
                              .file_system = "",
                              .device = "",
                              .options = "",
                              .server = "",
                              .rotational = SC_UNKNOWN,
                              .cache_below = SC_UNKNOWN,
                              .free_bytes = SC_UNKNOWN};
}

/* ---- mountinfo ---- */

struct mount_line {
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
static bool parse_mount(char *line, struct mount_line *mount)
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
static bool is_better(const struct mount_line *mount, const sci_os_info *info,
                      const char *real_path, size_t best_length)
{
    if (info->mount_id)
        return mount->id == info->mount_id;
    return lies_below(real_path, mount->mount_point) && strlen(mount->mount_point) >= best_length;
}

/* Per mount first, then the file system's own without a second "rw". */
static char *join_options(sci_arena *arena, const struct mount_line *mount)
{
    const char *super = mount->super_options;
    if (strncmp(super, "rw", 2) == 0 || strncmp(super, "ro", 2) == 0)
        super += super[2] == ',' ? 3 : super[2] == '\0' ? 2 : 0;
    return sci_arena_printf(arena, "%s%s%s", mount->options, *super ? "," : "", super);
}

static bool has_option(const char *options, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = options; *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* "//nas/media", "nas:/export", "user@host:dir", "[fe80::1]:/export": the host. */
static char *server_of(sci_arena *arena, const char *source)
{
    const char *start = source + strspn(source, "/");
    const char *user = strchr(start, '@');
    if (start == source && user && strcspn(start, ":/") > (size_t)(user - start))
        start = user + 1;
    if (start == source && !strchr(source, ':'))
        return sci_arena_strdup(arena, "");
    bool bracket = *start == '[';
    start += bracket;
    return sci_arena_printf(arena, "%.*s", (int)strcspn(start, bracket ? "]" : ":/\\"), start);
}

static bool keep_file_system(sci_arena *arena, const char *name, sc_storage_facts *facts)
{
    facts->file_system = sci_arena_strdup(arena, name);
    facts->fuse = strncmp(name, "fuse", 4) == 0;
    if (strncmp(name, "fuse.", 5) == 0)
        name += 5;
    facts->network = facts->memory = false;
    for (size_t i = 0; i < SCI_COUNT(kinds); i++)
        if (strcmp(kinds[i].file_system, name) == 0) {
            facts->network = kinds[i].network;
            facts->memory = kinds[i].memory;
        }
    return facts->file_system != NULL;
}

static bool keep_mount(sci_arena *arena, const struct mount_line *mount, sc_storage_facts *facts)
{
    bool memory = keep_file_system(arena, mount->file_system, facts);
    facts->mount_point = sci_arena_strdup(arena, mount->mount_point);
    facts->device = sci_arena_strdup(arena, mount->source);
    facts->options = join_options(arena, mount);
    facts->read_only = has_option(mount->options, "ro") || has_option(mount->super_options, "ro");
    facts->server = facts->network ? server_of(arena, mount->source) : "";
    return memory && facts->mount_point && facts->device && facts->options && facts->server;
}

static bool find_mount(const sci_facts_roots *roots, const sci_os_info *info, const char *real_path,
                       sci_arena *arena, sc_storage_facts *facts, unsigned device[2])
{
    FILE *file = fopen(roots->mountinfo, "re");
    char *line = NULL;
    size_t room = 0, best = 0;
    bool memory = true;
    if (!file)
        return true;
    while (memory && getline(&line, &room, file) > 0) {
        struct mount_line mount;
        if (!parse_mount(line, &mount) || !is_better(&mount, info, real_path, best))
            continue;
        best = strlen(mount.mount_point);
        device[0] = mount.device_major;
        device[1] = mount.device_minor;
        memory = keep_mount(arena, &mount, facts);
    }
    free(line);
    fclose(file);
    return memory;
}

/* ---- block devices ---- */

struct disk_facts {
    int32_t rotational, cache_below, disks;
    double plausible;
    bool certain;
};

static bool read_text(const char *directory, const char *name, char *text, size_t size)
{
    char path[PATH_MAX];
    text[0] = '\0';
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool read = fgets(text, (int)size, file) != NULL;
    fclose(file);
    text[strcspn(text, " \n")] = '\0';
    return read;
}

/* 1 or 0; SC_UNKNOWN when there is no such file. */
static int32_t read_flag(const char *directory, const char *name)
{
    char text[16];
    if (!read_text(directory, name, text, sizeof text))
        return SC_UNKNOWN;
    return strcmp(text, "1") == 0;
}

static void add_disk(struct disk_facts *sum, const struct disk_facts *disk)
{
    if (sum->disks == 0) {
        *sum = *disk;
        return;
    }
    if (disk->rotational == 1 || (disk->rotational == SC_UNKNOWN && sum->rotational == 0))
        sum->rotational = disk->rotational;
    if (disk->cache_below == 1)
        sum->cache_below = 1;
    sum->disks += disk->disks;
    sum->plausible += disk->plausible;
    sum->certain = sum->certain && disk->certain;
}

/* A virtual machine's disk claims to turn whatever lies below it. */
static bool claims_can_be_believed(const char *name)
{
    static const char *const virtual_disks[] = {"vd", "xvd", "nbd", "rbd", "zram", "ram", "drbd"};
    for (size_t i = 0; i < SCI_COUNT(virtual_disks); i++)
        if (strncmp(name, virtual_disks[i], strlen(virtual_disks[i])) == 0)
            return false;
    return true;
}

static struct disk_facts one_disk(const char *directory)
{
    char real[PATH_MAX], vendor[16], backing[8];
    const char *name = realpath(directory, real) ? strrchr(real, '/') + 1 : "";
    struct disk_facts disk = {.rotational = read_flag(directory, "queue/rotational"),
                              .cache_below = 0,
                              .disks = 1,
                              .plausible = MEMORY_BYTES_PER_S,
                              .certain = claims_can_be_believed(name)};
    if (read_text(directory, "loop/backing_file", backing, sizeof backing)) {
        disk.rotational = SC_UNKNOWN;
        disk.cache_below = read_flag(directory, "loop/dio") == 1 ? 0 : 1;
        return disk;
    }
    if (disk.rotational == 1 && !claims_can_be_believed(name))
        disk.rotational = SC_UNKNOWN;
    if (strncmp(name, "nvme", 4) == 0)
        disk.plausible = NVME_BYTES_PER_S;
    if (disk.rotational == 1) {
        disk.plausible = DISK_BYTES_PER_S;
        disk.certain = read_text(directory, "device/vendor", vendor, sizeof vendor) &&
                       strcmp(vendor, "ATA") == 0;
    }
    return disk;
}

/* Through partitions to the whole disk, and through md, dm and bcache to what they are made of. */
static void add_device(const char *directory, int depth, struct disk_facts *sum)
{
    char whole[PATH_MAX], path[PATH_MAX], text[16];
    bool part = read_text(directory, "partition", text, sizeof text);
    int found = 0;
    if (depth > DEVICE_DEPTH_MAX ||
        (size_t)snprintf(whole, sizeof whole, "%s%s", directory, part ? "/.." : "") >=
            sizeof whole ||
        (size_t)snprintf(path, sizeof path, "%s/slaves", whole) >= sizeof path)
        return;
    DIR *slaves = opendir(path);
    for (struct dirent *slave; slaves && found < SLAVES_MAX && (slave = readdir(slaves));) {
        if (slave->d_name[0] == '.' || (size_t)snprintf(path, sizeof path, "%s/slaves/%s", whole,
                                                        slave->d_name) >= sizeof path)
            continue;
        add_device(path, depth + 1, sum);
        found++;
    }
    if (slaves)
        closedir(slaves);
    if (found == 0 && access(whole, F_OK) == 0) {
        struct disk_facts disk = one_disk(whole);
        add_disk(sum, &disk);
    }
}

static void find_disks(const sci_facts_roots *roots, const unsigned device[2], sci_facts *facts)
{
    /* What lies below a network, a virtual machine or an unknown device may be any size. */
    struct disk_facts sum = {SC_UNKNOWN, SC_UNKNOWN, 0, MEMORY_BYTES_PER_S, false};
    uint32_t number[2] = {device[0], device[1]};
    char directory[PATH_MAX];
    /* Major 0 is a file system's own number; its source may still name a block device. */
    bool known = number[0] != 0 ||
                 (facts->shown.device[0] == '/' && !facts->shown.network && !facts->shown.memory &&
                  !facts->shown.fuse &&
                  sci_os_block_device(facts->shown.device, &number[0], &number[1]) == 0);
    if (known && (size_t)snprintf(directory, sizeof directory, "%s/dev/block/%u:%u", roots->sys,
                                  number[0], number[1]) < sizeof directory)
        add_device(directory, 0, &sum);
    facts->shown.rotational = sum.rotational;
    facts->shown.cache_below = sum.cache_below;
    facts->disks = sum.disks;
    facts->plausible_bytes_per_s = sum.plausible;
    facts->plausible_certain = sum.certain;
}

sc_status sci_facts_read(const sci_facts_roots *roots, const sci_os_info *info,
                         const char *real_path, sci_arena *arena, sci_facts *facts, sc_error *error)
{
    unsigned device[2] = {info->device_major, info->device_minor};
    *facts = (sci_facts){.shown = sci_facts_unknown()};
    bool memory = find_mount(roots, info, real_path, arena, &facts->shown, device);
    /* In a chroot or a container the mount may not be listed. */
    if (memory && !*facts->shown.file_system)
        memory = keep_file_system(arena, info->file_system, &facts->shown);
    if (!memory)
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.facts", real_path,
                        "no memory for the facts of %s", real_path);
    find_disks(roots, device, facts);
    return SC_OK;
}
