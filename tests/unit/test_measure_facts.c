#include "recorded.h"

static const char mountinfo[] =
    "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
    "40 27 8:1 / /mnt/disk ro,noatime shared:1 master:2 - xfs /dev/sda1 rw,attr2\n"
    "41 27 0:50 / /mnt/nas\\040share rw,nosuid - cifs //nas.local/media rw,vers=3.1.1\n"
    "42 27 0:51 / /mnt/nfs rw - nfs4 [fe80::1]:/export rw,vers=4.2\n"
    "43 27 0:52 / /mnt/sshfs rw - fuse.sshfs user@host:footage rw,user_id=0\n"
    "44 27 0:53 / /mnt/tmp rw - tmpfs tmpfs rw\n"
    "45 27 7:0 / /mnt/image ro - ext4 /dev/loop0 ro\n"
    "46 27 7:1 / /mnt/image-direct ro - ext4 /dev/loop1 ro\n"
    "47 27 9:0 / /mnt/raid rw - ext4 /dev/md0 rw\n"
    "48 27 252:0 / /mnt/crypt rw - ext4 /dev/mapper/crypt rw\n"
    "49 40 254:0 / /mnt/disk rw - ext4 /dev/vda rw\n"
    "50 27 7:2 / /mnt/image-memory rw - ext4 /dev/loop2 rw\n"
    "51 27 0:60 / /mnt/over rw - overlay overlay rw,lowerdir=/usr:/etc,upperdir=/mnt/disk/up\n"
    "52 27 0:61 / /mnt/over-disk rw - overlay overlay rw,lowerdir=/usr,upperdir=/mnt/disk/up\n"
    "53 27 0:62 / /mnt/over-absent rw - overlay overlay rw,lowerdir=/mnt/tmp/absent,upperdir=/b\n"
    "54 27 0:63 / /etc rw - tmpfs tmpfs rw\n"
    "55 27 0:64 / /mnt/sys rw - sysfs sysfs rw\n"
    "56 27 0:65 / /mnt/cgroup rw - cgroup2 cgroup2 rw\n"
    "57 27 0:66 / /mnt/over-new rw - overlay overlay rw,lowerdir+=/usr,lowerdir+=/etc,xino=on\n"
    "broken line\n";

/* A recorded machine: a SATA disk with a partition, a virtual disk, two loops, md over two SATA
   disks, dm over the loop without direct I/O. */
static int make_tree(void **state)
{
    struct tree *tree = new_tree(mountinfo);
    const char *sys = tree->sys;
    put(sys, "devices/sda/queue/rotational", "1\n");
    put(sys, "devices/sda/device/vendor", "ATA     \n");
    put(sys, "devices/sda/sda1/partition", "1\n");
    put(sys, "devices/sdb/queue/rotational", "1\n");
    put(sys, "devices/sdb/device/vendor", "ATA     \n");
    put(sys, "devices/vda/queue/rotational", "1\n");
    put(sys, "devices/loop0/queue/rotational", "0\n");
    put(sys, "devices/loop0/loop/backing_file", "/img\n");
    put(sys, "devices/loop0/loop/dio", "0\n");
    put(sys, "devices/loop1/queue/rotational", "0\n");
    put(sys, "devices/loop1/loop/backing_file", "/img\n");
    put(sys, "devices/loop1/loop/dio", "1\n");
    put(sys, "devices/md0/queue/rotational", "1\n");
    put_link(sys, "devices/md0/slaves/sda1", "../../sda/sda1");
    put_link(sys, "devices/md0/slaves/sdb", "../../sdb");
    put_link(sys, "devices/dm-0/slaves/loop0", "../../loop0");
    put_link(sys, "devices/endless/slaves/endless", "../../endless");
    put_link(sys, "dev/block/8:1", "../../devices/sda/sda1");
    put_link(sys, "dev/block/254:0", "../../devices/vda");
    put_link(sys, "dev/block/7:0", "../../devices/loop0");
    put_link(sys, "dev/block/7:1", "../../devices/loop1");
    put_link(sys, "dev/block/9:0", "../../devices/md0");
    put(sys, "devices/loop2/loop/backing_file", "/mnt/tmp/img\n");
    put(sys, "devices/loop2/loop/dio", "1\n");
    put_link(sys, "dev/block/7:2", "../../devices/loop2");
    put_link(sys, "dev/block/252:0", "../../devices/dm-0");
    put_link(sys, "dev/block/99:0", "../../devices/endless");
    *state = tree;
    return 0;
}

static void mounts_are_found_by_id_and_by_path(void **state)
{
    static const struct {
        uint64_t id;
        const char *path, *mount_point, *file_system, *device, *options, *server;
        bool read_only, network, memory, fuse;
    } cases[] = {
        {40, "/x", "/mnt/disk", "xfs", "/dev/sda1", "ro,noatime,attr2", "", true, 0, 0, 0},
        {0, "/mnt/disk/a", "/mnt/disk", "ext4", "/dev/vda", "rw", "", false, 0, 0, 0},
        {0, "/mnt/diskette", "/", "ext4", "/dev/vda", "rw,relatime,discard", "", 0, 0, 0, 0},
        {0, "/mnt/nas share/a", "/mnt/nas share", "cifs", "//nas.local/media",
         "rw,nosuid,vers=3.1.1", "nas.local", false, true, 0, 0},
        {42, "", "/mnt/nfs", "nfs4", "[fe80::1]:/export", "rw,vers=4.2", "fe80::1", 0, 1, 0, 0},
        {43, "", "/mnt/sshfs", "fuse.sshfs", "user@host:footage", "rw,user_id=0", "host", false,
         true, false, true},
        {44, "", "/mnt/tmp", "tmpfs", "tmpfs", "rw", "", false, false, true, false}};
    sci_arena *arena = sci_arena_new();
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_storage_facts facts = facts_of(*state, arena, cases[i].id, cases[i].path).shown;
        assert_string_equal(facts.mount_point, cases[i].mount_point);
        assert_string_equal(facts.file_system, cases[i].file_system);
        assert_string_equal(facts.device, cases[i].device);
        assert_string_equal(facts.options, cases[i].options);
        assert_string_equal(facts.server, cases[i].server);
        assert_int_equal(facts.read_only, cases[i].read_only);
        assert_int_equal(facts.network, cases[i].network);
        assert_int_equal(facts.memory, cases[i].memory);
        assert_int_equal(facts.fuse, cases[i].fuse);
    }
    sci_arena_free(&arena);
}

static void disks_are_found_below_partitions_loops_and_arrays(void **state)
{
    static const struct {
        uint64_t id;
        int32_t rotational, cache_below, disks;
        double plausible;
        bool certain;
    } cases[] = {{40, 1, 0, 1, 400e6, true},
                 {27, SC_UNKNOWN, 0, 1, 8e9, false},
                 {45, SC_UNKNOWN, 1, 1, 8e9, false},
                 {46, SC_UNKNOWN, 0, 1, 8e9, false},
                 {47, 1, 0, 2, 800e6, true},
                 {48, SC_UNKNOWN, 1, 1, 8e9, false},
                 {41, SC_UNKNOWN, SC_UNKNOWN, 0, 8e9, false}};
    sci_arena *arena = sci_arena_new();
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_facts facts = facts_of(*state, arena, cases[i].id, "");
        assert_int_equal(facts.shown.rotational, cases[i].rotational);
        assert_int_equal(facts.shown.cache_below, cases[i].cache_below);
        assert_int_equal(facts.disks, cases[i].disks);
        assert_true(facts.plausible_bytes_per_s == cases[i].plausible);
        assert_int_equal(facts.plausible_certain, cases[i].certain);
    }
    sci_arena_free(&arena);
}

static void memory_is_found_below_what_stands_on_it(void **state)
{
    static const struct {
        uint64_t id;
        bool memory;
    } cases[] = {{40, false}, {46, false}, {50, true}, {51, true}, {52, false},
                 {53, false}, {54, true},  {55, true}, {56, true}, {57, true}};
    sci_arena *arena = sci_arena_new();
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        assert_int_equal(facts_of(*state, arena, cases[i].id, "").shown.memory, cases[i].memory);
    sci_arena_free(&arena);
}

static void odd_trees_end(void **state)
{
    struct tree *tree = *state;
    sci_arena *arena = sci_arena_new();
    const sci_facts_roots nothing = {"/nonexistent", "/nonexistent", "/nonexistent", "/nonexistent",
                                     recorded_wireless_rate};
    const sci_facts_roots roots = {"/nonexistent", tree->sys, "/nonexistent", "/nonexistent",
                                   recorded_wireless_rate};
    sci_os_info info = {.device_major = 99, .file_system = "tmpfs"};
    sci_facts facts;
    assert_int_equal(sci_facts_read(&roots, &info, "/", arena, &facts, NULL), SC_OK);
    assert_int_equal(facts.disks, 0);
    assert_string_equal(facts.shown.file_system, "tmpfs");
    assert_true(facts.shown.memory);
    info = (sci_os_info){.device_major = 8, .device_minor = 1, .file_system = ""};
    assert_int_equal(sci_facts_read(&nothing, &info, "/", arena, &facts, NULL), SC_OK);
    assert_string_equal(facts.shown.mount_point, "");
    assert_int_equal(facts.shown.rotational, SC_UNKNOWN);
    sci_arena_free(&arena);
}

/* Of every string of the facts, whatever the machine. */
static void expect_texts(const sc_storage_facts *facts)
{
    const char *const texts[] = {
        facts->mount_point,     facts->file_system,    facts->device,       facts->options,
        facts->fuse_kind,       facts->protocol,       facts->cache_option, facts->disk.name,
        facts->disk.model,      facts->disk.transport, facts->disk.chain,   facts->server,
        facts->route.address,   facts->route.chain,    facts->route.duplex, facts->route.state,
        facts->route.interface,
    };
    for (size_t i = 0; i < SCI_COUNT(texts); i++)
        assert_non_null(texts[i]);
}

static void this_machine_has_facts(void **state)
{
    static const char *const paths[] = {"/", "/tmp", "/proc", "/sys", "/dev", "/dev/shm"};
    sci_arena *arena = sci_arena_new();
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(paths); i++) {
        sci_os_info info;
        sci_facts facts;
        if (sci_os_stat(paths[i], &info))
            continue;
        assert_int_equal(sci_facts_read(&sci_facts_system, &info, paths[i], arena, &facts, NULL),
                         SC_OK);
        expect_texts(&facts.shown);
        assert_string_not_equal(facts.shown.file_system, "");
        assert_int_equal(*facts.shown.disk.name != '\0', facts.disks > 0);
        assert_true(facts.plausible_bytes_per_s > 0);
    }
    sci_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mounts_are_found_by_id_and_by_path),
        cmocka_unit_test(disks_are_found_below_partitions_loops_and_arrays),
        cmocka_unit_test(memory_is_found_below_what_stands_on_it),
        cmocka_unit_test(odd_trees_end),
        cmocka_unit_test(this_machine_has_facts),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
