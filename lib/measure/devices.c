#include "measure/devices.h"

#include "measure/disk.h"
#include "measure/sysfs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 8, VISITED_MAX = 512, LIST_MAX = 256, CHAIN_MAX = 1024 };

struct walk {
    const sci_facts_roots *roots;
    sci_arena *arena;
    sci_devices *found;
    int visited;
    bool memory, buses_known, one_address;
    char names[LIST_MAX], models[LIST_MAX], transports[LIST_MAX], limits[LIST_MAX];
    char chain[CHAIN_MAX], address[SCI_DISK_TEXT];
};

sc_disk_facts sci_disk_facts_unknown(void)
{
    return (sc_disk_facts){
        .name = "", .model = "", .transport = "", .chain = "", .bus_bits_per_s = SC_UNKNOWN};
}

/* ---- the disks at the bottom ---- */

static void add_unique(char *list, size_t size, const char *separator, const char *text)
{
    if (*text && !sci_list_holds(list, separator, text))
        sci_add_text(list, size, separator, text);
}

static void add_rotation(sci_devices *found, int32_t rotational)
{
    if (found->count == 0 || rotational == 1 ||
        (rotational == SC_UNKNOWN && found->rotational == 0))
        found->rotational = rotational;
}

static void add_bus(struct walk *walk, int64_t bits_per_s)
{
    int64_t *slowest = &walk->found->shown.bus_bits_per_s;
    walk->buses_known = walk->buses_known && bits_per_s > 0;
    if (bits_per_s > 0 && (*slowest == SC_UNKNOWN || bits_per_s < *slowest))
        *slowest = bits_per_s;
}

static void add_limit(sci_devices *found, const sci_disk *disk)
{
    bool first = found->count == 0;
    found->plausible_bytes_per_s = disk->plausible_bytes_per_s +
                                   (first ? 0 : found->plausible_bytes_per_s);
    found->plausible_certain = disk->plausible_certain && (first || found->plausible_certain);
}

static void add_disk(struct walk *walk, const char *directory, const char *name)
{
    sci_disk disk;
    /* Two partitions of a disk are one disk. */
    if (sci_list_holds(walk->names, ", ", name))
        return;
    sci_disk_look(walk->roots, directory, &disk);
    add_unique(walk->names, LIST_MAX, ", ", name);
    add_unique(walk->models, LIST_MAX, ", ", disk.model);
    add_unique(walk->transports, LIST_MAX, ", ", disk.transport);
    add_unique(walk->limits, LIST_MAX, " + ", *disk.limited_by ? disk.limited_by : "unlimited");
    /* What stands in persistent memory stays there: that is a storage. */
    walk->found->memory |= strcmp(disk.transport, "memory") == 0 && !sci_begins(name, "pmem");
    add_rotation(walk->found, disk.rotational);
    add_bus(walk, disk.bus_bits_per_s);
    add_limit(walk->found, &disk);
    if (walk->found->cache_below == SC_UNKNOWN)
        walk->found->cache_below = 0;
    walk->one_address = walk->found->count == 0 ||
                        (walk->one_address && strcmp(walk->address, disk.address) == 0);
    sci_copy(walk->address, sizeof walk->address, disk.address);
    walk->found->count++;
}

/* ---- what stands on them ---- */

static void chain(struct walk *walk, const char *text)
{
    sci_add_text(walk->chain, sizeof walk->chain, "", text);
}

/* The whole disk of a partition, else the device itself: canonical, with its name. */
static bool find_whole(const char *directory, char whole[PATH_MAX], const char **name)
{
    if (!realpath(directory, whole))
        return false;
    if (sci_sysfs_exists(whole, "partition"))
        *strrchr(whole, '/') = '\0';
    *name = strrchr(whole, '/');
    *name = *name ? *name + 1 : whole;
    return true;
}

/* Device mapper's users put their names before the rest of the uuid. */
static const char *dm_kind(const char *uuid)
{
    static const struct {
        const char *start, *kind;
    } kinds[] = {{"LVM-", "lvm"},       {"CRYPT-", "crypt"}, {"mpath-", "multipath"},
                 {"DMRAID-", "dmraid"}, {"VDO-", "vdo"},     {"part", "partition"}};
    for (size_t i = 0; i < SCI_COUNT(kinds); i++)
        if (sci_begins(uuid, kinds[i].start))
            return kinds[i].kind;
    return "dm";
}

static void chain_device(struct walk *walk, const char *whole, const char *name)
{
    char text[64], kind[80] = "";
    if (sci_sysfs_text(whole, "md/level", text, sizeof text))
        snprintf(kind, sizeof kind, " (%s)", text);
    else if (sci_sysfs_exists(whole, "dm")) {
        sci_sysfs_text(whole, "dm/uuid", text, sizeof text);
        snprintf(kind, sizeof kind, " (%s)", dm_kind(text));
    } else if (sci_sysfs_exists(whole, "loop/backing_file"))
        snprintf(kind, sizeof kind, " (image)");
    chain(walk, name);
    chain(walk, kind);
}

static void walk_device(struct walk *walk, const char *directory, int depth);

static bool stands_on_others(struct walk *walk, const char *directory)
{
    char whole[PATH_MAX], slaves[PATH_MAX];
    const char *name;
    sci_entries entries;
    if (!find_whole(directory, whole, &name) ||
        !sci_sysfs_path(slaves, sizeof slaves, whole, "slaves"))
        return false;
    walk->memory = sci_entries_read(slaves, "", &entries) && walk->memory;
    bool others = entries.count > 0 || sci_sysfs_exists(whole, "loop/backing_file");
    sci_entries_free(&entries);
    return others;
}

/* " on sda, sdb" or " on [md0 (raid1) on sda, sdb], sdc". */
static void walk_all(struct walk *walk, const char *directory, const sci_entries *entries,
                     int depth)
{
    char path[PATH_MAX];
    chain(walk, " on ");
    for (size_t i = 0; i < entries->count; i++) {
        if (!sci_sysfs_path(path, sizeof path, directory, entries->names[i]))
            continue;
        bool brackets = entries->count > 1 && stands_on_others(walk, path);
        chain(walk, i ? ", " : "");
        chain(walk, brackets ? "[" : "");
        walk_device(walk, path, depth);
        chain(walk, brackets ? "]" : "");
    }
}

/* btrfs has a device number of its own, and may lie on several devices. */
static bool walk_btrfs(struct walk *walk, const char *name)
{
    char volumes[PATH_MAX], devices[PATH_MAX];
    sci_entries all, members;
    bool walked = false;
    if (!sci_sysfs_path(volumes, sizeof volumes, walk->roots->sys, "fs/btrfs"))
        return false;
    walk->memory = sci_entries_read(volumes, "", &all) && walk->memory;
    for (size_t i = 0; i < all.count && !walked; i++) {
        if ((size_t)snprintf(devices, sizeof devices, "%s/%s/devices", volumes, all.names[i]) >=
                sizeof devices ||
            !sci_sysfs_exists(devices, name))
            continue;
        walk->memory = sci_entries_read(devices, "", &members) && walk->memory;
        walked = members.count > 1;
        if (walked) {
            chain(walk, "btrfs");
            walk_all(walk, devices, &members, 1);
        }
        sci_entries_free(&members);
    }
    sci_entries_free(&all);
    return walked;
}

/* ---- from a mount to its device ---- */

/* "/dev/mapper/vg-media" is a name that dm-0 has. */
static bool find_mapped(struct walk *walk, const char *mapped, char path[PATH_MAX])
{
    char classes[PATH_MAX], name[256];
    sci_entries entries;
    bool found = false;
    if (!sci_sysfs_path(classes, sizeof classes, walk->roots->sys, "class/block"))
        return false;
    walk->memory = sci_entries_read(classes, "dm-", &entries) && walk->memory;
    for (size_t i = 0; i < entries.count && !found; i++)
        found = sci_sysfs_path(path, PATH_MAX, classes, entries.names[i]) &&
                sci_sysfs_text(path, "dm/name", name, sizeof name) && strcmp(name, mapped) == 0;
    sci_entries_free(&entries);
    return found;
}

static bool find_numbered(struct walk *walk, uint32_t device_major, uint32_t device_minor,
                          char path[PATH_MAX])
{
    return (size_t)snprintf(path, PATH_MAX, "%s/dev/block/%u:%u", walk->roots->sys, device_major,
                            device_minor) < PATH_MAX &&
           sci_sysfs_exists(path, "");
}

/* Major 0 is a file system's own number; its source may still name a block device. */
static bool find_directory(struct walk *walk, const sci_mount *mount, char path[PATH_MAX])
{
    uint32_t device_major, device_minor;
    const char *source = mount->source;
    if (mount->device_major != 0)
        return find_numbered(walk, mount->device_major, mount->device_minor, path);
    if (!sci_begins(source, "/dev/") || mount->network || mount->memory || mount->fuse)
        return false;
    if (sci_begins(source, "/dev/mapper/"))
        return find_mapped(walk, source + strlen("/dev/mapper/"), path);
    source += strlen("/dev/");
    if (!strchr(source, '/') &&
        (size_t)snprintf(path, PATH_MAX, "%s/class/block/%s", walk->roots->sys, source) <
            PATH_MAX &&
        sci_sysfs_exists(path, ""))
        return true;
    return sci_os_block_device(mount->source, &device_major, &device_minor) == 0 &&
           find_numbered(walk, device_major, device_minor, path);
}

static void keep_read_ahead(struct walk *walk, const char *directory)
{
    char whole[PATH_MAX];
    const char *name;
    int64_t kib = find_whole(directory, whole, &name)
                      ? sci_sysfs_number(whole, "queue/read_ahead_kb")
                      : SC_UNKNOWN;
    if (kib >= 0 && kib <= INT64_MAX / 1024)
        walk->found->read_ahead_bytes = kib * 1024;
}

/* False where no device is known below the mount. */
static bool walk_mount(struct walk *walk, const sci_mount *mount, int depth)
{
    char path[PATH_MAX], whole[PATH_MAX];
    const char *name, *slash;
    if (!find_directory(walk, mount, path) || !realpath(path, whole))
        return false;
    slash = strrchr(whole, '/');
    name = slash ? slash + 1 : whole;
    /* A file system with a number of its own has a read-ahead of its own. */
    if (depth == 0 && mount->device_major != 0)
        keep_read_ahead(walk, path);
    if (strcmp(mount->file_system, "btrfs") != 0 || !walk_btrfs(walk, name))
        walk_device(walk, path, depth);
    return true;
}

/* Where the image lies is told by its path, so that what may hang there is not touched. */
static void walk_image(struct walk *walk, const char *whole, const char *name, int depth)
{
    char backing[PATH_MAX], file_system[80];
    sci_mount mount = sci_mount_unknown();
    if (sci_sysfs_number(whole, "loop/dio") != 1)
        walk->found->cache_below = 1;
    if (sci_sysfs_text(whole, "loop/backing_file", backing, sizeof backing))
        walk->memory = sci_mount_find(walk->roots->mountinfo, 0, backing, walk->arena, &mount) &&
                       walk->memory;
    if (!walk->memory)
        return;
    walk->found->memory |= mount.memory;
    chain(walk, *mount.file_system ? " on " : "");
    if (walk_mount(walk, &mount, depth + 1))
        return;
    snprintf(file_system, sizeof file_system, "%s%s%s", mount.network ? mount.source : "",
             mount.network ? " as " : "", mount.file_system);
    chain(walk, file_system);
    add_disk(walk, whole, name);
}

/* Through partitions to the whole disk, and through md, dm and bcache to what they are made of. */
static void walk_device(struct walk *walk, const char *directory, int depth)
{
    char whole[PATH_MAX], slaves[PATH_MAX];
    const char *name;
    sci_entries entries;
    if (depth > DEPTH_MAX || walk->visited++ >= VISITED_MAX) {
        chain(walk, "...");
        return;
    }
    if (!find_whole(directory, whole, &name) ||
        !sci_sysfs_path(slaves, sizeof slaves, whole, "slaves"))
        return;
    walk->memory = sci_entries_read(slaves, "", &entries) && walk->memory;
    chain_device(walk, whole, name);
    if (entries.count > 0)
        walk_all(walk, slaves, &entries, depth + 1);
    else if (sci_sysfs_exists(whole, "loop/backing_file"))
        walk_image(walk, whole, name, depth);
    else
        add_disk(walk, whole, name);
    sci_entries_free(&entries);
}

/* ---- the result ---- */

/* "3 x SATA at 6 Gb/s"; nothing where one of them may be any speed. */
static char *describe_limit(const struct walk *walk)
{
    bool several = walk->found->count > 1 && !strstr(walk->limits, " + ");
    if (walk->found->count == 0 || sci_list_holds(walk->limits, " + ", "unlimited"))
        return sci_arena_strdup(walk->arena, "");
    if (!several)
        return sci_arena_strdup(walk->arena, walk->limits);
    return sci_arena_printf(walk->arena, "%d x %s", (int)walk->found->count, walk->limits);
}

static bool keep_texts(struct walk *walk)
{
    sc_disk_facts *shown = &walk->found->shown;
    bool known = walk->found->count > 0;
    shown->name = sci_arena_strdup(walk->arena, walk->names);
    shown->model = sci_arena_strdup(walk->arena, walk->models);
    shown->transport = sci_arena_strdup(walk->arena, walk->transports);
    shown->chain = sci_arena_strdup(walk->arena, known ? walk->chain : "");
    walk->found->limited_by = describe_limit(walk);
    walk->found->address = sci_arena_strdup(walk->arena, walk->one_address ? walk->address : "");
    return shown->name && shown->model && shown->transport && shown->chain &&
           walk->found->limited_by && walk->found->address;
}

bool sci_devices_find(const sci_facts_roots *roots, const sci_mount *mount, sci_arena *arena,
                      sci_devices *devices)
{
    struct walk walk = {roots, arena, devices, .memory = true, .buses_known = true};
    /* What lies below a network, a virtual machine or an unknown device may be any size. */
    *devices = (sci_devices){.shown = sci_disk_facts_unknown(),
                             .rotational = SC_UNKNOWN,
                             .cache_below = SC_UNKNOWN,
                             .read_ahead_bytes = SC_UNKNOWN,
                             .plausible_bytes_per_s = SCI_MEMORY_BYTES_PER_S};
    walk_mount(&walk, mount, 0);
    if (!walk.buses_known)
        devices->shown.bus_bits_per_s = SC_UNKNOWN;
    return keep_texts(&walk) && walk.memory;
}
