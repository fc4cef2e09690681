#include "measure/route.h"

#include "measure/sysfs.h"

#include <streamcalc/network.h>

#include <arpa/inet.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 64, CHAIN_MAX = 512, DEPTH_MAX = 4, VISITED_MAX = 64 };
enum { ETHERNET_TYPE = 1 }; /* ARPHRD_ETHER */

/* Flags of a route, as the kernel shows them in hexadecimal. */
enum { ROUTE_UP = 0x1, ROUTE_REJECT = 0x200 };
static const unsigned ROUTE_LOCAL = 0x80000000U;

static const int64_t FASTEST_MB_PER_S = 10000000; /* above: "unknown" as an unsigned number */

sc_route_facts sci_route_facts_unknown(void)
{
    return (sc_route_facts){.address = "",
                            .this_machine = SC_UNKNOWN,
                            .interface = "",
                            .chain = "",
                            .bits_per_s = SC_UNKNOWN,
                            .duplex = "",
                            .state = "",
                            .mtu_bytes = SC_UNKNOWN,
                            .wireless = SC_UNKNOWN};
}

/* ---- addresses ---- */

struct address {
    int family; /* AF_INET or AF_INET6 */
    unsigned char bytes[16];
    char scope[NAME_MAX_BYTES]; /* an interface's name or number; "" */
};

static bool parse_address(const char *text, struct address *address)
{
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    char plain[INET6_ADDRSTRLEN];
    size_t length = strcspn(text, "%");
    *address = (struct address){.family = AF_INET};
    if (length >= sizeof plain || strlen(text + length) >= sizeof address->scope)
        return false;
    memcpy(plain, text, length);
    plain[length] = '\0';
    sci_copy(address->scope, sizeof address->scope, text[length] ? text + length + 1 : "");
    if (inet_pton(AF_INET, plain, address->bytes) == 1)
        return true;
    address->family = AF_INET6;
    if (inet_pton(AF_INET6, plain, address->bytes) != 1)
        return false;
    if (memcmp(address->bytes, mapped, sizeof mapped) == 0) {
        address->family = AF_INET;
        memmove(address->bytes, address->bytes + sizeof mapped, 4);
    }
    return true;
}

/* The same on every interface: without a scope it leads nowhere. */
static bool lacks_scope(const struct address *address)
{
    return address->family == AF_INET6 && !*address->scope && address->bytes[0] == 0xfe &&
           (address->bytes[1] & 0xc0) == 0x80;
}

static bool same_prefix(const unsigned char *a, const unsigned char *b, unsigned bits)
{
    unsigned whole = bits / 8, rest = bits % 8;
    return memcmp(a, b, whole) == 0 && (!rest || (a[whole] ^ b[whole]) >> (8 - rest) == 0);
}

/* ---- the route tables ---- */

struct route {
    char interface[NAME_MAX_BYTES];
    unsigned char destination[16];
    unsigned bits, flags, metric;
};

/* Interface, destination, gateway, flags, references, use, metric, mask: 32-bit numbers are the
   bytes of the address in memory. */
static bool parse_v4(const char *line, struct route *route)
{
    unsigned destination, mask;
    if (sscanf(line, "%63s %8x %*8x %8x %*d %*d %u %8x", route->interface, &destination,
               &route->flags, &route->metric, &mask) != 5)
        return false;
    memcpy(route->destination, &destination, sizeof destination);
    route->bits = (unsigned)__builtin_popcount(mask);
    return true;
}

/* Destination, prefix, source, its prefix, next hop, metric, references, use, flags, interface. */
static bool parse_v6(const char *line, struct route *route)
{
    char digits[33], *end;
    if (sscanf(line, "%32s %2x %*32s %*2x %*32s %8x %*8x %*8x %8x %63s", digits, &route->bits,
               &route->metric, &route->flags, route->interface) != 5 ||
        strlen(digits) != 32 || route->bits > 128)
        return false;
    for (size_t i = 0; i < sizeof route->destination; i++) {
        const char byte[3] = {digits[2 * i], digits[2 * i + 1], '\0'};
        route->destination[i] = (unsigned char)strtoul(byte, &end, 16);
        if (*end)
            return false;
    }
    return true;
}

static bool leads_to(const struct route *route, const struct address *address, const char *scope)
{
    return (route->flags & ROUTE_UP || route->flags & ROUTE_REJECT) &&
           (!*scope || strcmp(scope, route->interface) == 0) &&
           same_prefix(route->destination, address->bytes, route->bits);
}

/* The longest prefix, of equals the lowest metric. False where the table cannot be read; where no
   route leads to the address best->interface is "". */
static bool look_up(const sci_facts_roots *roots, const struct address *address, const char *scope,
                    struct route *best)
{
    bool v4 = address->family == AF_INET;
    char path[PATH_MAX], line[512];
    struct route route = {0};
    *best = route;
    if (!sci_sysfs_path(path, sizeof path, roots->net, v4 ? "route" : "ipv6_route"))
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        if (!(v4 ? parse_v4(line, &route) : parse_v6(line, &route)) ||
            !leads_to(&route, address, scope))
            continue;
        if (!*best->interface || route.bits > best->bits ||
            (route.bits == best->bits && route.metric < best->metric))
            *best = route;
    }
    fclose(file);
    if (best->flags & ROUTE_REJECT)
        best->interface[0] = '\0';
    return true;
}

static int32_t is_own_v6(const struct address *address, const struct route *route, bool read)
{
    static const unsigned char loopback[16] = {[15] = 1};
    if (memcmp(address->bytes, loopback, sizeof loopback) == 0)
        return 1;
    return read ? (route->flags & ROUTE_LOCAL) != 0 : SC_UNKNOWN;
}

/* "|-- 192.0.2.2" and below it "/32 host LOCAL". 1, 0, or SC_UNKNOWN. */
static int32_t is_own_v4(const sci_facts_roots *roots, const struct address *address)
{
    char path[PATH_MAX], line[256], text[64];
    unsigned char shown[4] = {0};
    int32_t own = 0;
    if (address->bytes[0] == 127)
        return 1;
    if (!sci_sysfs_path(path, sizeof path, roots->net, "fib_trie"))
        return SC_UNKNOWN;
    FILE *file = fopen(path, "re");
    if (!file)
        return SC_UNKNOWN;
    while (own == 0 && fgets(line, sizeof line, file)) {
        if (sscanf(line, " |-- %63s", text) == 1)
            own = inet_pton(AF_INET, text, shown) == 1 ? 0 : SC_UNKNOWN;
        else if (strstr(line, "/32 host LOCAL"))
            own = memcmp(shown, address->bytes, sizeof shown) == 0;
    }
    fclose(file);
    return own;
}

/* ---- interfaces ---- */

struct look {
    const sci_facts_roots *roots;
    int visited;
    bool memory;
    bool real;     /* hardware below, and nothing that makes its speed up */
    bool wireless; /* some of it */
    char wireless_name[NAME_MAX_BYTES];
    char chain[CHAIN_MAX];
};

static bool interface_path(const sci_facts_roots *roots, const char *name, char path[PATH_MAX])
{
    return !strchr(name, '/') && name[0] != '.' &&
           (size_t)snprintf(path, PATH_MAX, "%s/class/net/%s", roots->sys, name) < PATH_MAX;
}

/* DEVTYPE of its uevent: "vlan", "bond", "bridge"; "" for a plain one, as which "wlan" counts: that
   it is wireless is told apart. */
static void read_type(const char *directory, char *type, size_t size)
{
    char path[PATH_MAX], line[128];
    type[0] = '\0';
    FILE *file = sci_sysfs_path(path, sizeof path, directory, "uevent") ? fopen(path, "re") : NULL;
    while (file && fgets(line, sizeof line, file))
        if (sci_begins(line, "DEVTYPE=") && strcmp(line, "DEVTYPE=wlan\n") != 0) {
            line[strcspn(line, "\n")] = '\0';
            sci_copy(type, size, line + strlen("DEVTYPE="));
        }
    if (file)
        fclose(file);
}

static void chain_interface(struct look *look, const char *directory, const char *name)
{
    char type[64], mode[64];
    read_type(directory, type, sizeof type);
    /* "802.3ad 4" */
    if (sci_sysfs_text(directory, "bonding/mode", mode, sizeof mode)) {
        mode[strcspn(mode, " ")] = '\0';
        sci_copy(type, sizeof type, mode);
    }
    sci_add_text(look->chain, CHAIN_MAX, "", name);
    if (*type) {
        sci_add_text(look->chain, CHAIN_MAX, "", " (");
        sci_add_text(look->chain, CHAIN_MAX, "", type);
        sci_add_text(look->chain, CHAIN_MAX, "", ")");
    }
}

/* Drivers of virtual machines name a speed that nothing holds them to. */
static bool is_hardware(const char *directory)
{
    static const char *const made_up[] = {"virtio_net", "vmxnet3",      "hv_netvsc", "netvsc",
                                          "vif",        "xen_netfront", "ena",       "gve"};
    char driver[64];
    if (!sci_sysfs_exists(directory, "device"))
        return false;
    sci_sysfs_link(directory, "device/driver", driver, sizeof driver);
    for (size_t i = 0; i < SCI_COUNT(made_up); i++)
        if (strcmp(made_up[i], driver) == 0)
            return false;
    return true;
}

static void look_at_bottom(struct look *look, const char *directory, const char *name)
{
    bool wireless = sci_sysfs_exists(directory, "wireless") ||
                    sci_sysfs_exists(directory, "phy80211");
    look->real = look->real && is_hardware(directory);
    if (wireless && !look->wireless)
        sci_copy(look->wireless_name, sizeof look->wireless_name, name);
    look->wireless = look->wireless || wireless;
}

static void look_at(struct look *look, const char *name, int depth)
{
    static const char lower[] = "lower_";
    char directory[PATH_MAX];
    sci_entries entries;
    if (depth > DEPTH_MAX || look->visited++ >= VISITED_MAX ||
        !interface_path(look->roots, name, directory)) {
        look->real = false;
        sci_add_text(look->chain, CHAIN_MAX, "", "...");
        return;
    }
    chain_interface(look, directory, name);
    look->memory = sci_entries_read(directory, lower, &entries) && look->memory;
    for (size_t i = 0; i < entries.count; i++) {
        sci_add_text(look->chain, CHAIN_MAX, "", i ? ", " : " on ");
        look_at(look, entries.names[i] + strlen(lower), depth + 1);
    }
    if (entries.count == 0)
        look_at_bottom(look, directory, name);
    sci_entries_free(&entries);
}

static int64_t speed_of(const struct look *look, const char *directory)
{
    int64_t rate = SC_UNKNOWN;
    if (look->wireless)
        return look->roots->wireless_rate(look->wireless_name, &rate) == 0 && rate > 0 ? rate
                                                                                       : SC_UNKNOWN;
    rate = look->real ? sci_sysfs_number(directory, "speed") : SC_UNKNOWN;
    return rate > 0 && rate <= FASTEST_MB_PER_S ? rate * 1000000 : SC_UNKNOWN;
}

/* A wireless link's bit rate moves, up too once there is something to carry: it bounds nothing.
   Ethernet carries its payload, other media at most every bit. */
static double link_bytes_per_s(const struct look *look, const char *directory,
                               const sc_route_facts *facts)
{
    int64_t payload = facts->bits_per_s;
    if (look->wireless || !look->real || payload <= 0)
        return 0;
    if (sci_sysfs_number(directory, "type") == ETHERNET_TYPE)
        payload = sc_ethernet_payload_bits_per_s(facts->bits_per_s, facts->mtu_bytes, false, false,
                                                 false);
    return (double)(payload > 0 ? payload : facts->bits_per_s) / 8;
}

static bool keep_interface(const sci_facts_roots *roots, const char *name, sci_arena *arena,
                           sci_route *route)
{
    struct look look = {.roots = roots, .memory = true, .real = true};
    char directory[PATH_MAX], duplex[32], state[32];
    sc_route_facts *shown = &route->shown;
    if (!interface_path(roots, name, directory))
        return true;
    look_at(&look, name, 0);
    int64_t mtu = sci_sysfs_number(directory, "mtu");
    bool there = sci_sysfs_text(directory, "operstate", state, sizeof state);
    shown->interface = sci_arena_strdup(arena, name);
    shown->mtu_bytes = mtu > 0 && mtu <= INT32_MAX ? (int32_t)mtu : SC_UNKNOWN;
    shown->wireless = there ? look.wireless : SC_UNKNOWN;
    shown->bits_per_s = speed_of(&look, directory);
    if (!sci_sysfs_text(directory, "duplex", duplex, sizeof duplex) || !look.real ||
        strcmp(duplex, "unknown") == 0)
        duplex[0] = '\0';
    shown->state = sci_arena_strdup(arena, strcmp(state, "unknown") == 0 ? "" : state);
    shown->duplex = sci_arena_strdup(arena, duplex);
    shown->chain = sci_arena_strdup(arena, look.chain);
    route->link_bytes_per_s = link_bytes_per_s(&look, directory, shown);
    return look.memory && shown->interface && shown->state && shown->duplex && shown->chain;
}

/* ---- the result ---- */

/* A scope is a name or, as the kernel writes it into mount options, a number. */
static bool find_scope(const sci_facts_roots *roots, const char *scope, char *name, size_t size)
{
    char directory[PATH_MAX], path[PATH_MAX];
    int64_t index = sci_whole_number(scope);
    sci_entries entries;
    sci_copy(name, size, scope);
    if (index == SC_UNKNOWN ||
        !sci_sysfs_path(directory, sizeof directory, roots->sys, "class/net"))
        return true;
    if (!sci_entries_read(directory, "", &entries))
        return false;
    for (size_t i = 0; i < entries.count; i++)
        if (sci_sysfs_path(path, sizeof path, directory, entries.names[i]) &&
            sci_sysfs_number(path, "ifindex") == index)
            sci_copy(name, size, entries.names[i]);
    sci_entries_free(&entries);
    return true;
}

bool sci_route_find(const sci_facts_roots *roots, const char *text, sci_arena *arena,
                    sci_route *route)
{
    struct address address;
    struct route best;
    char scope[NAME_MAX_BYTES];
    *route = (sci_route){.shown = sci_route_facts_unknown()};
    if (!parse_address(text, &address))
        return true;
    route->shown.address = sci_arena_strdup(arena, text);
    if (!route->shown.address || !find_scope(roots, address.scope, scope, sizeof scope))
        return false;
    if (lacks_scope(&address))
        return true;
    bool read = look_up(roots, &address, scope, &best);
    route->shown.this_machine = address.family == AF_INET ? is_own_v4(roots, &address)
                                                          : is_own_v6(&address, &best, read);
    if (route->shown.this_machine == 1)
        sci_copy(best.interface, sizeof best.interface, "lo");
    return !*best.interface || keep_interface(roots, best.interface, arena, route);
}
