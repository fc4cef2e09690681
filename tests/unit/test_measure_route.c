#include "recorded.h"

#include <math.h>

static const char mountinfo[] =
    "20 1 0:40 / / rw - nfs4 nas.local:/media rw,vers=4.2,rsize=1048576,wsize=1048576,nconnect=4,"
    "proto=tcp,clientaddr=10.0.0.2,addr=10.0.0.7\n"
    "41 20 0:41 / /wifi rw - cifs //nas.local/media rw,vers=3.1.1,cache=strict,username=editor,"
    "addr=192.168.7.9,rsize=4194304,bsize=1048576\n"
    "42 20 0:42 / /bond rw - nfs nas:/a rw,vers=3,rsize=524288,proto=tcp,addr=172.16.5.1\n"
    "43 20 0:43 / /six rw - nfs4 [2001:db8::7]:/a rw,vers=4.1,proto=tcp6,addr=2001:db8::7\n"
    "44 20 0:44 / /scoped rw - nfs4 [fe80::7%25lan0]:/a rw,vers=4.2,addr=fe80::7%3\n"
    "45 20 0:45 / /self rw - nfs4 localhost:/a rw,vers=4.2,addr=127.0.0.1\n"
    "46 20 0:46 / /self2 rw - cifs //me/a rw,vers=3.0,cache=none,addr=10.0.0.2\n"
    "47 20 0:47 / /self6 rw - nfs4 me:/a rw,vers=4.2,addr=2001:db8::2\n"
    "48 20 0:48 / /ssh rw - fuse.sshfs editor@nas.local:a rw,max_read=65536,vers=1,cache=x\n"
    "49 20 0:49 / /literal rw - fuse.sshfs editor@10.0.0.7:a rw\n"
    "50 20 0:50 / /channels rw - cifs //nas/a rw,vers=3.1.1,addr=10.0.0.7,multichannel,"
    "max_channels=4\n"
    "51 20 0:51 / /copies rw - nfs4 nas:/a rw,vers=4.2,fsc,addr=10.0.0.7\n"
    "52 20 0:52 / /tunnel rw - nfs4 nas:/a rw,vers=4.2,addr=10.9.0.1\n"
    "53 20 0:53 / /nowhere rw - nfs4 nas:/a rw,vers=4.2,addr=203.0.113.9\n"
    "54 20 0:54 / /odd rw - nfs4 nas:/a rw,rsize=-1,nconnect=many,vers=,addr=nas.local\n"
    "55 20 0:55 / /odd2 rw - nfs4 nas:/a rw,rsize=99999999999999999999,addr=10.0.0.7.8,addr=\n"
    "56 20 0:56 / /lost rw - nfs4 nas:/a rw,vers=4.2,addr=fe80::7\n"
    "57 20 0:57 / /bridge rw - nfs4 nas:/a rw,vers=4.2,addr=10.8.0.1\n"
    "58 20 0:58 / /mapped rw - nfs4 nas:/a rw,vers=4.2,addr=::ffff:10.0.0.7\n"
    "59 20 0:59 / /virtual rw - nfs4 nas:/a rw,vers=4.2,addr=10.7.0.1\n"
    "60 20 0:60 / /local-disk rw - ext4 /dev/none rw,addr=10.0.0.7\n"
    "61 20 0:61 / /slow rw - nfs4 nas:/a rw,vers=4.2,addr=10.6.0.1\n"
    "62 20 0:62 / /gone rw - nfs4 nas:/a rw,vers=4.2,addr=10.5.0.1\n"
    "63 20 0:63 / /round rw - nfs4 nas:/a rw,vers=4.2,addr=10.4.0.1\n"
    "64 20 0:64 / /remote rw - fuse.rclone nas:media rw,max_read=1048576\n"
    "65 20 0:65 / /image rw - fuse /dev/fuse rw,max_read=67108864\n"
    "66 20 0:66 / /ftp rw - fuse.curlftpfs curlftpfs#ftp://me@nas.local/a rw\n"
    "67 20 0:67 / /moose rw - fuse.mfs mfs#mfsmaster:9421 rw\n"
    "68 20 0:68 / /lustre rw - lustre 10.0.0.7@tcp:10.0.0.8@tcp:/a rw\n"
    "69 20 0:69 / /dav rw - davfs https://nas.local:5006/a@b rw\n"
    "70 20 0:70 / /at rw - cifs //nas/a@b rw\n";

/* As a little-endian machine shows them; what the machine at hand shows is made from the same. */
struct row {
    const char *interface, *destination, *mask;
    unsigned flags, metric;
};

static const struct row rows[] = {
    {"lan0", "10.0.0.0", "255.255.255.0", 1, 100},
    {"wlan0", "192.168.7.0", "255.255.255.0", 1, 600},
    {"wlan0", "172.16.0.0", "255.240.0.0", 3, 1},
    {"bond0.20", "172.16.5.0", "255.255.255.0", 1, 400},
    {"wlan0", "172.16.5.0", "255.255.255.0", 1, 500},
    {"bond0.20", "203.0.0.0", "255.0.0.0", 1, 0},
    {"*", "203.0.113.0", "255.255.255.0", 0x200, 0},
    {"lan0", "203.0.113.9", "255.255.255.255", 0, 0},
    {"tun0", "10.9.0.0", "255.255.0.0", 1, 0},
    {"br0", "10.8.0.0", "255.255.0.0", 1, 0},
    {"ens5", "10.7.0.0", "255.255.0.0", 1, 0},
    {"old0", "10.6.0.0", "255.255.0.0", 1, 0},
    {"gone0", "10.5.0.0", "255.255.0.0", 1, 0},
    {"round0", "10.4.0.0", "255.255.0.0", 1, 0},
    {"../../lan0", "10.3.0.0", "255.255.0.0", 1, 0},
};

static const char routes_v6[] =
    "20010db8000000000000000000000000 20 00000000000000000000000000000000 00 "
    "00000000000000000000000000000000 00000400 00000001 00000000 00000001    wlan0\n"
    "20010db8000000000000000000000000 40 00000000000000000000000000000000 00 "
    "00000000000000000000000000000000 00000100 00000001 00000000 00000001     lan0\n"
    "20010db8000000000000000000000002 80 00000000000000000000000000000000 00 "
    "00000000000000000000000000000000 00000000 00000003 00000000 80200001     lan0\n"
    "fe800000000000000000000000000000 40 00000000000000000000000000000000 00 "
    "00000000000000000000000000000000 00000100 00000001 00000000 00000001    wlan0\n"
    "fe800000000000000000000000000000 40 00000000000000000000000000000000 00 "
    "00000000000000000000000000000000 00000100 00000001 00000000 00000001     lan0\n"
    "not a route\n"
    "zz000000000000000000000000000000 80 00000000000000000000000000000000 00 "
    "00000000000000000000000000000000 00000100 00000001 00000000 00000001     lan0\n"
    "00000000000000000000000000000000 00 00000000000000000000000000000000 00 "
    "00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n";

static const char fib_trie[] = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n"
                               "        /0 universe UNICAST\n     +-- 10.0.0.0/24 2 0 2\n"
                               "        |-- 10.0.0.0\n           /24 link UNICAST\n"
                               "        |-- 10.0.0.2\n           /32 host LOCAL\n"
                               "        |-- 10.0.0.255\n           /32 link BROADCAST\n";

static unsigned in_memory(const char *text)
{
    unsigned char bytes[4];
    unsigned value;
    assert_int_equal(
        sscanf(text, "%hhu.%hhu.%hhu.%hhu", &bytes[0], &bytes[1], &bytes[2], &bytes[3]), 4);
    memcpy(&value, bytes, sizeof value);
    return value;
}

static void put_routes(const struct tree *tree)
{
    char text[8192] = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\n";
    for (size_t i = 0; i < SCI_COUNT(rows); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "%s\t%08X\t00000000\t%04X\t0\t0\t%u\t%08X\t0\t0\t0\n", rows[i].interface,
                 in_memory(rows[i].destination), rows[i].flags, rows[i].metric,
                 in_memory(rows[i].mask));
    strcat(text, "broken\n");
    put(tree->net, "route", text);
    put(tree->net, "ipv6_route", routes_v6);
    put(tree->net, "fib_trie", fib_trie);
}

static void put_interface(const char *sys, const char *name, const char *const (*files)[2])
{
    char path[256];
    for (; (*files)[0]; files++) {
        snprintf(path, sizeof path, "class/net/%s/%s", name, (*files)[0]);
        put(sys, path, (*files)[1]);
    }
}

#define INTERFACE(sys, name, ...)                                                                  \
    put_interface(sys, name, (const char *const[][2]){__VA_ARGS__, {NULL, NULL}})
#define UP                                                                                         \
    {"operstate", "up\n"},                                                                         \
    {                                                                                              \
        "type", "1\n"                                                                              \
    }

static void put_interfaces(const char *sys)
{
    INTERFACE(sys, "lan0", UP, {"speed", "10000\n"}, {"duplex", "full\n"}, {"mtu", "9000\n"},
              {"ifindex", "3\n"}, {"device/vendor", "0x8086\n"}, {"uevent", "INTERFACE=lan0\n"});
    INTERFACE(sys, "wlan0", UP, {"mtu", "1500\n"}, {"ifindex", "4\n"}, {"device/vendor", "0x8086"},
              {"uevent", "DEVTYPE=wlan\nINTERFACE=wlan0\n"}, {"phy80211/name", "phy0\n"});
    INTERFACE(sys, "bond0.20", UP, {"speed", "2000\n"}, {"duplex", "full\n"}, {"mtu", "1500\n"},
              {"uevent", "DEVTYPE=vlan\n"}, {"lower_bond0/x", ""});
    INTERFACE(sys, "bond0", UP, {"speed", "2000\n"}, {"bonding/mode", "802.3ad 4\n"},
              {"uevent", "DEVTYPE=bond\n"}, {"lower_eno1/x", ""}, {"lower_eno2/x", ""});
    INTERFACE(sys, "eno1", UP, {"device/vendor", "0x8086\n"});
    INTERFACE(sys, "eno2", UP, {"device/vendor", "0x8086\n"});
    INTERFACE(sys, "lo", {"operstate", "unknown\n"}, {"type", "772\n"}, {"mtu", "65536\n"});
    INTERFACE(sys, "tun0", {"operstate", "unknown\n"}, {"type", "65534\n"}, {"speed", "10\n"},
              {"duplex", "full\n"}, {"mtu", "1420\n"}, {"tun_flags", "0x1001\n"});
    INTERFACE(sys, "br0", UP, {"speed", "10000\n"}, {"mtu", "1500\n"},
              {"uevent", "DEVTYPE=bridge\n"}, {"lower_eno1/x", ""}, {"lower_veth1/x", ""});
    INTERFACE(sys, "veth1", UP, {"speed", "10000\n"});
    INTERFACE(sys, "ens5", UP, {"speed", "10\n"}, {"duplex", "full\n"}, {"mtu", "1500\n"});
    put_device_link(sys, "class/net/ens5/device/driver", "drivers/virtio_net");
    put(sys, "devices/drivers/virtio_net/bind", "");
    INTERFACE(sys, "old0", {"operstate", "up\n"}, {"type", "1\n"}, {"speed", "100\n"},
              {"duplex", "half\n"}, {"mtu", "not a number\n"}, {"device/vendor", "0x8086\n"});
    INTERFACE(sys, "round0", UP, {"speed", "4294967295\n"}, {"lower_round0/x", ""});
}

static int make_tree(void **state)
{
    struct tree *tree = new_tree(mountinfo);
    *state = tree;
    put_routes(tree);
    put_interfaces(tree->sys);
    return 0;
}

#define ETHERNET(rate, mtu) ((rate) / 8.0 * ((mtu)-40) / ((mtu) + 38))

static void servers_are_reached_through_an_interface(void **state)
{
    static const struct {
        uint64_t id;
        const char *address;
        int32_t this_machine;
        const char *interface, *chain;
        int64_t bits_per_s;
        const char *duplex, *state;
        int32_t mtu, wireless;
        double plausible;
        const char *of;
        bool certain;
    } cases[] = {
        {20, "10.0.0.7", 0, "lan0", "lan0", 10000000000, "full", "up", 9000, 0,
         ETHERNET(10e9, 9000), "lan0 at 10 Gb/s", true},
        {41, "192.168.7.9", 0, "wlan0", "wlan0", 433300000, "", "up", 1500, 1, 8e9, "", false},
        {42, "172.16.5.1", 0, "bond0.20", "bond0.20 (vlan) on bond0 (802.3ad) on eno1, eno2",
         2000000000, "full", "up", 1500, 0, ETHERNET(2e9, 1500), "bond0.20 at 2 Gb/s", true},
        {43, "2001:db8::7", 0, "lan0", "lan0", 10000000000, "full", "up", 9000, 0,
         ETHERNET(10e9, 9000), "lan0 at 10 Gb/s", true},
        {44, "fe80::7%3", 0, "lan0", "lan0", 10000000000, "full", "up", 9000, 0,
         ETHERNET(10e9, 9000), "lan0 at 10 Gb/s", true},
        {45, "127.0.0.1", 1, "lo", "lo", SC_UNKNOWN, "", "", 65536, 0, 8e9, "", false},
        {46, "10.0.0.2", 1, "lo", "lo", SC_UNKNOWN, "", "", 65536, 0, 8e9, "", false},
        {47, "2001:db8::2", 1, "lo", "lo", SC_UNKNOWN, "", "", 65536, 0, 8e9, "", false},
        {48, "", SC_UNKNOWN, "", "", SC_UNKNOWN, "", "", SC_UNKNOWN, SC_UNKNOWN, 8e9, "", false},
        {49, "10.0.0.7", 0, "lan0", "lan0", 10000000000, "full", "up", 9000, 0, 8e9, "", false},
        {50, "10.0.0.7", 0, "lan0", "lan0", 10000000000, "full", "up", 9000, 0, 8e9, "", false},
        {51, "10.0.0.7", 0, "lan0", "lan0", 10000000000, "full", "up", 9000, 0, 8e9, "", false},
        {52, "10.9.0.1", 0, "tun0", "tun0", SC_UNKNOWN, "", "", 1420, 0, 8e9, "", false},
        {53, "203.0.113.9", 0, "", "", SC_UNKNOWN, "", "", SC_UNKNOWN, SC_UNKNOWN, 8e9, "", false},
        {54, "", SC_UNKNOWN, "", "", SC_UNKNOWN, "", "", SC_UNKNOWN, SC_UNKNOWN, 8e9, "", false},
        {55, "", SC_UNKNOWN, "", "", SC_UNKNOWN, "", "", SC_UNKNOWN, SC_UNKNOWN, 8e9, "", false},
        {56, "fe80::7", SC_UNKNOWN, "", "", SC_UNKNOWN, "", "", SC_UNKNOWN, SC_UNKNOWN, 8e9, "",
         false},
        {57, "10.8.0.1", 0, "br0", "br0 (bridge) on eno1, veth1", SC_UNKNOWN, "", "up", 1500, 0,
         8e9, "", false},
        {58, "::ffff:10.0.0.7", 0, "lan0", "lan0", 10000000000, "full", "up", 9000, 0,
         ETHERNET(10e9, 9000), "lan0 at 10 Gb/s", true},
        {59, "10.7.0.1", 0, "ens5", "ens5", SC_UNKNOWN, "", "up", 1500, 0, 8e9, "", false},
        {60, "", SC_UNKNOWN, "", "", SC_UNKNOWN, "", "", SC_UNKNOWN, SC_UNKNOWN, 8e9, "", false},
        {61, "10.6.0.1", 0, "old0", "old0", 100000000, "half", "up", SC_UNKNOWN, 0, 100e6 / 8,
         "old0 at 100 Mb/s", true},
        {62, "10.5.0.1", 0, "gone0", "gone0", SC_UNKNOWN, "", "", SC_UNKNOWN, SC_UNKNOWN, 8e9, "",
         false},
        {63, "10.4.0.1", 0, "round0", NULL, SC_UNKNOWN, "", "up", SC_UNKNOWN, 0, 8e9, "", false}};
    sci_arena *arena = sci_arena_new();
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_facts facts = facts_of(*state, arena, cases[i].id, "");
        const sc_route_facts *route = &facts.shown.route;
        assert_string_equal(route->address, cases[i].address);
        assert_int_equal(route->this_machine, cases[i].this_machine);
        assert_string_equal(route->interface, cases[i].interface);
        if (cases[i].chain)
            assert_string_equal(route->chain, cases[i].chain);
        assert_int_equal(route->bits_per_s, cases[i].bits_per_s);
        assert_string_equal(route->duplex, cases[i].duplex);
        assert_string_equal(route->state, cases[i].state);
        assert_int_equal(route->mtu_bytes, cases[i].mtu);
        assert_int_equal(route->wireless, cases[i].wireless);
        assert_true(fabs(facts.plausible_bytes_per_s - cases[i].plausible) < 1);
        assert_string_equal(facts.limited_by, cases[i].of);
        assert_int_equal(facts.plausible_certain, cases[i].certain);
    }
    sci_arena_free(&arena);
}

static void options_that_matter_are_parsed(void **state)
{
    static const struct {
        uint64_t id;
        int64_t read_request_bytes;
        int32_t connections;
        const char *protocol, *cache_option, *fuse_kind, *server;
    } cases[] = {{20, 1048576, 4, "4.2", "", "", "nas.local"},
                 {41, 4194304, SC_UNKNOWN, "3.1.1", "strict", "", "nas.local"},
                 {42, 524288, SC_UNKNOWN, "3", "", "", "nas"},
                 {46, SC_UNKNOWN, SC_UNKNOWN, "3.0", "none", "", "me"},
                 {48, 65536, SC_UNKNOWN, "", "", "sshfs", "nas.local"},
                 {50, SC_UNKNOWN, 4, "3.1.1", "", "", "nas"},
                 {51, SC_UNKNOWN, SC_UNKNOWN, "4.2", "fsc", "", "nas"},
                 {54, SC_UNKNOWN, SC_UNKNOWN, "", "", "", "nas"},
                 {55, SC_UNKNOWN, SC_UNKNOWN, "", "", "", "nas"},
                 {64, 1048576, SC_UNKNOWN, "", "", "rclone", ""},
                 {65, SC_UNKNOWN, SC_UNKNOWN, "", "", "", ""},
                 {66, SC_UNKNOWN, SC_UNKNOWN, "", "", "curlftpfs", "nas.local"},
                 {67, SC_UNKNOWN, SC_UNKNOWN, "", "", "mfs", "mfsmaster"},
                 {68, SC_UNKNOWN, SC_UNKNOWN, "", "", "", "10.0.0.7"},
                 {69, SC_UNKNOWN, SC_UNKNOWN, "", "", "", "nas.local"},
                 {70, SC_UNKNOWN, SC_UNKNOWN, "", "", "", "nas"}};
    sci_arena *arena = sci_arena_new();
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_storage_facts facts = facts_of(*state, arena, cases[i].id, "").shown;
        assert_int_equal(facts.read_request_bytes, cases[i].read_request_bytes);
        assert_int_equal(facts.connections, cases[i].connections);
        assert_string_equal(facts.protocol, cases[i].protocol);
        assert_string_equal(facts.cache_option, cases[i].cache_option);
        assert_string_equal(facts.fuse_kind, cases[i].fuse_kind);
        assert_string_equal(facts.server, cases[i].server);
    }
    sci_arena_free(&arena);
}

/* pNFS reads from data servers, which another link may lead to. */
static void several_nfs_servers_make_the_limit_uncertain(void **state)
{
    const struct tree *tree = *state;
    struct tree blind = *tree;
    sci_arena *arena = sci_arena_new();
    put(tree->root, "mountstats2",
        "\tnfsv4:\tbm0=0xfdffbfff,acl=0x3,sessions,pnfs=LAYOUT_FLEX_FILES,lease_time=90\n");
    snprintf(blind.mountstats, sizeof blind.mountstats, "%s/mountstats2", tree->root);
    assert_false(facts_of(&blind, arena, 20, "").plausible_certain);
    assert_true(facts_of(&blind, arena, 42, "").plausible_certain);
    strcpy(blind.mountstats, "/nonexistent");
    assert_false(facts_of(&blind, arena, 20, "").plausible_certain);
    sci_arena_free(&arena);
}

/* Where the tables are not to be had, only loopback addresses are known to be this machine's. */
static void missing_tables_are_unknown(void **state)
{
    static const struct {
        uint64_t id;
        int32_t this_machine;
    } cases[] = {{20, SC_UNKNOWN}, {43, SC_UNKNOWN}, {45, 1}, {47, SC_UNKNOWN}};
    struct tree blind = *(struct tree *)*state;
    sci_arena *arena = sci_arena_new();
    strcpy(blind.net, "/nonexistent");
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_route_facts route = facts_of(&blind, arena, cases[i].id, "").shown.route;
        assert_int_equal(route.this_machine, cases[i].this_machine);
        assert_string_equal(route.interface, cases[i].this_machine == 1 ? "lo" : "");
    }
    sci_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(servers_are_reached_through_an_interface),
        cmocka_unit_test(options_that_matter_are_parsed),
        cmocka_unit_test(several_nfs_servers_make_the_limit_uncertain),
        cmocka_unit_test(missing_tables_are_unknown),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
