#include "measure/facts.h"

#include "measure/devices.h"
#include "measure/mounts.h"
#include "measure/route.h"
#include "measure/sysfs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const sci_facts_roots sci_facts_system = {"/proc/self/mountinfo", "/sys", "/proc/net",
                                          "/proc/self/mountstats", sci_os_wireless_rate};

static const int64_t FUSE_REQUEST_MAX = INT64_C(1) << 20;

sc_storage_facts sci_facts_unknown(void)
{
    return (sc_storage_facts){.mount_point = "",
                              .file_system = "",
                              .device = "",
                              .options = "",
                              .fuse_kind = "",
                              .read_ahead_bytes = SC_UNKNOWN,
                              .read_request_bytes = SC_UNKNOWN,
                              .connections = SC_UNKNOWN,
                              .protocol = "",
                              .cache_option = "",
                              .rotational = SC_UNKNOWN,
                              .cache_below = SC_UNKNOWN,
                              .disk = sci_disk_facts_unknown(),
                              .server = "",
                              .route = sci_route_facts_unknown(),
                              .free_bytes = SC_UNKNOWN};
}

/* ---- options of the mount ---- */

/* The kernel splits what is asked of FUSE by a number of pages that no one is told, usually 1 MiB at
   most: what a program allows beyond that never comes. */
static int64_t fuse_request_bytes(const char *options)
{
    int64_t bytes = sci_option_number(options, "max_read");
    return bytes <= FUSE_REQUEST_MAX ? bytes : SC_UNKNOWN;
}

static int64_t read_request_bytes(const sci_mount *mount)
{
    static const char *const names[] = {"rsize", "msize"};
    if (mount->fuse)
        return fuse_request_bytes(mount->options);
    for (size_t i = 0; mount->network && i < SCI_COUNT(names); i++)
        if (sci_option_find(mount->options, names[i]))
            return sci_option_number(mount->options, names[i]);
    return SC_UNKNOWN;
}

static int32_t connections(const char *options)
{
    int64_t count = sci_option_number(options, "nconnect");
    if (count == SC_UNKNOWN && sci_option_find(options, "multichannel"))
        count = sci_option_number(options, "max_channels");
    return count >= 1 && count <= 65535 ? (int32_t)count : SC_UNKNOWN;
}

static bool keeps_copies(const sci_mount *mount)
{
    return mount->network && !mount->fuse && sci_option_find(mount->options, "fsc");
}

/* "fuse.sshfs" and "fuseblk.ntfs" name the program behind the point. */
static const char *fuse_kind(const sci_mount *mount)
{
    const char *point = mount->fuse ? strchr(mount->file_system, '.') : NULL;
    return point ? point + 1 : "";
}

static bool keep_mount(const sci_mount *mount, sci_arena *arena, sc_storage_facts *facts)
{
    char protocol[64] = "", cache[64] = "";
    if (mount->network && !mount->fuse) {
        sci_option_text(mount->options, "vers", protocol, sizeof protocol);
        if (!sci_option_text(mount->options, "cache", cache, sizeof cache) && keeps_copies(mount))
            sci_copy(cache, sizeof cache, "fsc");
        facts->connections = connections(mount->options);
    }
    facts->mount_point = mount->mount_point;
    facts->file_system = mount->file_system;
    facts->device = mount->source;
    facts->options = mount->options;
    facts->read_only = mount->read_only;
    facts->network = mount->network;
    facts->memory = mount->memory;
    facts->fuse = mount->fuse;
    facts->fuse_kind = fuse_kind(mount);
    facts->read_request_bytes = read_request_bytes(mount);
    facts->protocol = sci_arena_strdup(arena, protocol);
    facts->cache_option = sci_arena_strdup(arena, cache);
    facts->server = mount->network ? sci_mount_server(mount, arena) : "";
    return facts->protocol && facts->cache_option && facts->server;
}

/* ---- read-ahead ---- */

static int64_t kib_of(const char *directory, const char *entry)
{
    char path[PATH_MAX];
    int64_t kib = sci_sysfs_path(path, sizeof path, directory, entry)
                      ? sci_sysfs_number(path, "read_ahead_kb")
                      : SC_UNKNOWN;
    return kib <= INT64_MAX / 1024 ? kib : SC_UNKNOWN;
}

/* The kernel names some by a count of its own ("cifs-1"): known where all of the kind agree. */
static bool counted_kib(const char *directory, const char *file_system, int64_t *kib)
{
    char start[80];
    sci_entries entries;
    *kib = SC_UNKNOWN;
    if (!*file_system || (size_t)snprintf(start, sizeof start, "%s-", file_system) >= sizeof start)
        return true;
    if (!sci_entries_read(directory, start, &entries))
        return false;
    for (size_t i = 0; i < entries.count; i++) {
        int64_t one = kib_of(directory, entries.names[i]);
        if (i > 0 && one != *kib) {
            *kib = SC_UNKNOWN;
            break;
        }
        *kib = one;
    }
    sci_entries_free(&entries);
    return true;
}

/* False without memory. */
static bool find_read_ahead(const sci_facts_roots *roots, const sci_mount *mount, int64_t *bytes)
{
    char directory[PATH_MAX], entry[64];
    int64_t kib;
    bool memory = true;
    if (!sci_sysfs_path(directory, sizeof directory, roots->sys, "class/bdi"))
        return true;
    snprintf(entry, sizeof entry, "%u:%u", mount->device_major, mount->device_minor);
    kib = kib_of(directory, entry);
    if (kib < 0) {
        snprintf(entry, sizeof entry, "%u:%u-fuseblk", mount->device_major, mount->device_minor);
        kib = kib_of(directory, entry);
    }
    if (kib < 0)
        memory = counted_kib(directory, mount->file_system, &kib);
    if (kib >= 0)
        *bytes = kib * 1024;
    return memory;
}

/* ---- devices and the way to a server ---- */

static bool find_disks(const sci_facts_roots *roots, const sci_mount *mount, sci_arena *arena,
                       sci_facts *facts, const char **address)
{
    sci_devices devices;
    bool memory = sci_devices_find(roots, mount, arena, &devices);
    facts->shown.disk = devices.shown;
    facts->shown.memory |= devices.memory;
    facts->shown.rotational = devices.rotational;
    facts->shown.cache_below = devices.cache_below;
    facts->shown.read_ahead_bytes = devices.read_ahead_bytes;
    facts->disks = devices.count;
    facts->plausible_bytes_per_s = devices.plausible_bytes_per_s;
    facts->limited_by = devices.limited_by;
    facts->plausible_certain = devices.plausible_certain;
    *address = devices.address;
    return memory;
}

/* All that is read passes the one link to the server, and nothing nearer keeps a copy of it. */
static bool is_bound_by_link(const sci_mount *mount)
{
    return !mount->network || (mount->one_server && !keeps_copies(mount) &&
                               !sci_option_find(mount->options, "multichannel"));
}

static bool limit_by_link(const sci_facts_roots *roots, const sci_mount *mount,
                          const sci_route *route, sci_arena *arena, sci_facts *facts)
{
    char rate[32];
    if (route->link_bytes_per_s <= 0 || route->link_bytes_per_s >= facts->plausible_bytes_per_s)
        return true;
    facts->plausible_bytes_per_s = route->link_bytes_per_s;
    facts->plausible_certain = strcmp(mount->file_system, "nfs4") != 0 ||
                               sci_mount_one_nfs_server(roots->mountstats);
    facts->limited_by = sci_arena_printf(arena, "%s at %s", route->shown.interface,
                                         sci_bits_text(rate, sizeof rate, route->shown.bits_per_s));
    return facts->limited_by != NULL;
}

/* address: of a network block device, or "". */
static bool find_route(const sci_facts_roots *roots, const sci_mount *mount, const char *address,
                       sci_arena *arena, sci_facts *facts)
{
    char text[128];
    sci_route route;
    if (*address)
        facts->shown.server = address;
    else if (mount->network && !mount->fuse &&
             sci_option_text(mount->options, "addr", text, sizeof text))
        address = text;
    else
        address = facts->shown.server;
    bool memory = sci_route_find(roots, address, arena, &route);
    facts->shown.route = route.shown;
    return memory &&
           (!is_bound_by_link(mount) || limit_by_link(roots, mount, &route, arena, facts));
}

static bool find_all(const sci_facts_roots *roots, const sci_mount *mount, sci_arena *arena,
                     sci_facts *facts)
{
    const char *address = "";
    return keep_mount(mount, arena, &facts->shown) &&
           sci_mount_layers_in_memory(roots->mountinfo, mount, arena, &facts->shown.memory) &&
           find_disks(roots, mount, arena, facts, &address) &&
           find_read_ahead(roots, mount, &facts->shown.read_ahead_bytes) &&
           find_route(roots, mount, address, arena, facts);
}

sc_status sci_facts_read(const sci_facts_roots *roots, const sci_os_info *info,
                         const char *real_path, sci_arena *arena, sci_facts *facts, sc_error *error)
{
    sci_mount mount = sci_mount_unknown();
    *facts = (sci_facts){.shown = sci_facts_unknown(), .limited_by = ""};
    bool memory = sci_mount_find(roots->mountinfo, info->mount_id, real_path, arena, &mount);
    /* In a chroot or a container the mount may not be listed. */
    if (memory && !*mount.file_system) {
        mount.device_major = info->device_major;
        mount.device_minor = info->device_minor;
        memory = sci_mount_name(&mount, info->file_system, arena);
    }
    if (!memory || !find_all(roots, &mount, arena, facts))
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.facts", real_path,
                        "no memory for the facts of %s", real_path);
    return SC_OK;
}
