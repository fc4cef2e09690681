#include "recorded.h"

#include <math.h>

static const char mountinfo[] =
    "20 1 259:2 / / rw - ext4 /dev/nvme0n1p2 rw\n"
    "40 20 8:17 / /usb rw - exfat /dev/sdb1 rw\n"
    "41 20 253:1 / /media rw - xfs /dev/mapper/vg-media rw\n"
    "42 20 253:2 / /crypt rw - ext4 /dev/mapper/crypt rw\n"
    "43 20 7:0 / /cached ro - squashfs /dev/loop0 ro\n"
    "44 20 7:1 / /direct ro - squashfs /dev/loop1 ro\n"
    "45 20 8:32 / /iscsi rw - ext4 /dev/sdc rw\n"
    "46 20 0:60 / /btrfs rw - btrfs /dev/nvme0n1p3 rw,subvol=/\n"
    "47 20 0:61 / /pool rw - btrfs /dev/sda2 rw,subvol=/\n"
    "48 20 0:62 / /overlay rw - overlay overlay rw,lowerdir=/a,upperdir=/b\n"
    "49 20 0:63 / /mapped rw - btrfs /dev/mapper/vg-media rw\n"
    "50 20 7:2 / /on-nas ro - squashfs /dev/loop2 ro\n"
    "51 20 0:64 / /nas rw - nfs4 nas:/export rw,vers=4.2,addr=192.0.2.7\n"
    "52 20 253:9 / /mixed rw - ext4 /dev/mapper/mixed rw\n"
    "53 20 8:48 / /virtual rw - ext4 /dev/sdd rw\n"
    "54 20 259:9 / /fabric rw - ext4 /dev/nvme9n1 rw\n"
    "60 20 259:7 / /two-paths rw - ext4 /dev/nvme7n1 rw\n"
    "55 20 253:7 / /round rw - ext4 /dev/mapper/round rw\n"
    "56 20 8:64 / /long rw - ext4 /dev/sde rw\n"
    "57 20 0:65 / /fuse rw - fuse.rclone remote: rw,max_read=131072\n"
    "58 20 0:66 / /elsewhere rw - btrfs /dev/absent1 rw\n"
    "59 20 0:67 / /nas2 rw - cifs //nas/media rw,vers=3.1.1,cache=loose,addr=192.0.2.7\n";

#define PCI   "pci0000:00/"
#define SATA  PCI "0000:00:17.0/"
#define NVME  PCI "0000:01:00.0/nvme/nvme0/"
#define USB   PCI "0000:00:14.0/usb1/1-2/"
#define ISCSI "platform/host9/session3/target9:0:0/9:0:0:0/block/sdc"

static void put_sata_disk(const char *sys, const char *name, int port)
{
    char path[256], target[256];
    const char *const files[][2] = {{"queue/rotational", "1\n"},
                                    {"queue/read_ahead_kb", "128\n"},
                                    {"device/vendor", "ATA     \n"},
                                    {"device/model", "WDC WD40EFRX-68N\n"}};
    for (size_t i = 0; i < SCI_COUNT(files); i++) {
        snprintf(path, sizeof path, "devices/" SATA "ata%d/host%d/block/%s/%s", port, port, name,
                 files[i][0]);
        put(sys, path, files[i][1]);
    }
    snprintf(path, sizeof path, "devices/" SATA "ata%d/link%d/ata_link/link%d/sata_spd", port, port,
             port);
    put(sys, path, port == 3 ? "3.0 Gbps\n" : "6.0 Gbps\n");
    snprintf(path, sizeof path, "class/block/%s", name);
    snprintf(target, sizeof target, SATA "ata%d/host%d/block/%s", port, port, name);
    put_device_link(sys, path, target);
}

static void put_arrays(const char *sys)
{
    put_sata_disk(sys, "sda", 1);
    put_sata_disk(sys, "sdaa", 3);
    put_sata_disk(sys, "sdf", 2);
    put(sys, "devices/" SATA "ata1/host1/block/sda/sda1/partition", "1\n");
    put(sys, "devices/" SATA "ata1/host1/block/sda/sda2/partition", "2\n");
    put_device_link(sys, "class/block/sda2", SATA "ata1/host1/block/sda/sda2");
    put(sys, "devices/virtual/block/md0/md/level", "raid5\n");
    put_device_link(sys, "devices/virtual/block/md0/slaves/sda1", SATA "ata1/host1/block/sda/sda1");
    put_device_link(sys, "devices/virtual/block/md0/slaves/sdaa", SATA "ata3/host3/block/sdaa");
    put_device_link(sys, "devices/virtual/block/md0/slaves/sdf", SATA "ata2/host2/block/sdf");
    put(sys, "devices/virtual/block/dm-1/dm/uuid", "LVM-abcdef\n");
    put(sys, "devices/virtual/block/dm-1/dm/name", "vg-media\n");
    put(sys, "devices/virtual/block/dm-1/queue/read_ahead_kb", "512\n");
    put_device_link(sys, "devices/virtual/block/dm-1/slaves/md0", "virtual/block/md0");
    put_device_link(sys, "class/block/dm-1", "virtual/block/dm-1");
    put_device_link(sys, "dev/block/253:1", "virtual/block/dm-1");
    put(sys, "devices/virtual/block/dm-9/dm/uuid", "mystery\n");
    put_device_link(sys, "devices/virtual/block/dm-9/slaves/md0", "virtual/block/md0");
    put_device_link(sys, "devices/virtual/block/dm-9/slaves/nvme0n1", NVME "nvme0n1");
    put_device_link(sys, "dev/block/253:9", "virtual/block/dm-9");
}

static void put_nvme(const char *sys)
{
    put(sys, "devices/" PCI "0000:01:00.0/max_link_speed", "8.0 GT/s PCIe\n");
    put(sys, "devices/" PCI "0000:01:00.0/max_link_width", "4\n");
    put(sys, "devices/" NVME "transport", "pcie\n");
    put(sys, "devices/" NVME "model", "Samsung SSD 970 EVO Plus 1TB            \n");
    put_device_link(sys, "devices/" NVME "device", PCI "0000:01:00.0");
    put(sys, "devices/" NVME "nvme0n1/queue/rotational", "0\n");
    put(sys, "devices/" NVME "nvme0n1/queue/read_ahead_kb", "128\n");
    put_device_link(sys, "devices/" NVME "nvme0n1/device", PCI "0000:01:00.0/nvme/nvme0");
    put(sys, "devices/" NVME "nvme0n1/nvme0n1p2/partition", "2\n");
    put(sys, "devices/" NVME "nvme0n1/nvme0n1p3/partition", "3\n");
    put_device_link(sys, "dev/block/259:2", NVME "nvme0n1/nvme0n1p2");
    put_device_link(sys, "class/block/nvme0n1p3", NVME "nvme0n1/nvme0n1p3");
    put(sys, "devices/virtual/block/dm-2/dm/uuid", "CRYPT-LUKS2-abc-crypt\n");
    put_device_link(sys, "devices/virtual/block/dm-2/slaves/nvme0n1p2", NVME "nvme0n1/nvme0n1p2");
    put_device_link(sys, "dev/block/253:2", "virtual/block/dm-2");
    put(sys, "devices/virtual/nvme-subsystem/nvme-subsys9/nvme9n1/queue/rotational", "0\n");
    put(sys, "devices/virtual/nvme-fabrics/ctl/nvme9/transport", "tcp\n");
    put(sys, "devices/virtual/nvme-fabrics/ctl/nvme9/address", "traddr=192.0.2.9,trsvcid=4420\n");
    put_device_link(sys, "devices/virtual/nvme-subsystem/nvme-subsys9/nvme9",
                    "virtual/nvme-fabrics/ctl/nvme9");
    put_link(sys, "devices/virtual/nvme-subsystem/nvme-subsys9/nvme9n1/device", "..");
    put_device_link(sys, "dev/block/259:9", "virtual/nvme-subsystem/nvme-subsys9/nvme9n1");
    put(sys, "devices/virtual/nvme-subsystem/nvme-subsys7/nvme7n1/queue/rotational", "0\n");
    put_link(sys, "devices/virtual/nvme-subsystem/nvme-subsys7/nvme7n1/device", "..");
    put_device_link(sys, "devices/virtual/nvme-subsystem/nvme-subsys7/nvme7",
                    "virtual/nvme-fabrics/ctl/nvme9");
    put_device_link(sys, "devices/virtual/nvme-subsystem/nvme-subsys7/nvme8",
                    "virtual/nvme-fabrics/ctl/nvme9");
    put_device_link(sys, "dev/block/259:7", "virtual/nvme-subsystem/nvme-subsys7/nvme7n1");
}

static void put_others(const char *sys)
{
    put(sys, "devices/" USB "speed", "480\n");
    put(sys, "devices/" USB "1-2:1.0/host7/block/sdb/queue/rotational", "1\n");
    put(sys, "devices/" USB "1-2:1.0/host7/block/sdb/device/vendor", "Seagate \n");
    put(sys, "devices/" USB "1-2:1.0/host7/block/sdb/device/model", "Expansion HDD\n");
    put(sys, "devices/" USB "1-2:1.0/host7/block/sdb/sdb1/partition", "1\n");
    put_device_link(sys, "dev/block/8:17", USB "1-2:1.0/host7/block/sdb/sdb1");
    put(sys, "devices/" ISCSI "/queue/rotational", "1\n");
    put(sys, "devices/" ISCSI "/device/vendor", "IET\n");
    put_device_link(sys, "dev/block/8:32", ISCSI);
    put(sys, "class/iscsi_connection/connection3:0/persistent_address", "192.0.2.8\n");
    put(sys, "class/iscsi_connection/connection30:0/address", "192.0.2.30\n");
    put(sys, "devices/" SATA "ata5/host5/block/sdd/queue/rotational", "1\n");
    put(sys, "devices/" SATA "ata5/host5/block/sdd/device/vendor", "ATA\n");
    put(sys, "devices/" SATA "ata5/host5/block/sdd/device/model", "QEMU HARDDISK\n");
    put(sys, "devices/" SATA "ata5/link5/ata_link/link5/sata_spd", "1.5 Gbps\n");
    put_device_link(sys, "dev/block/8:48", SATA "ata5/host5/block/sdd");
    put(sys, "class/bdi/0:64/read_ahead_kb", "15360\n");
    put(sys, "class/bdi/0:65/read_ahead_kb", "many\n");
    put(sys, "class/bdi/cifs-1/read_ahead_kb", "4096\n");
    put(sys, "class/bdi/cifs-7/read_ahead_kb", "4096\n");
    put(sys, "class/bdi/btrfs-1/read_ahead_kb", "4096\n");
    put(sys, "class/bdi/btrfs-2/read_ahead_kb", "128\n");
}

static void put_images(const char *sys)
{
    static const char *const backings[] = {"/images/a.img\n", "/usb/a.img\n", "/nas/a.img\n"};
    for (int i = 0; i < 3; i++) {
        char path[128], target[64];
        snprintf(path, sizeof path, "devices/virtual/block/loop%d/loop/backing_file", i);
        put(sys, path, backings[i]);
        snprintf(path, sizeof path, "devices/virtual/block/loop%d/queue/rotational", i);
        put(sys, path, "0\n");
        snprintf(path, sizeof path, "devices/virtual/block/loop%d/loop/dio", i);
        put(sys, path, i == 0 ? "0\n" : "1\n");
        snprintf(path, sizeof path, "dev/block/7:%d", i);
        snprintf(target, sizeof target, "virtual/block/loop%d", i);
        put_device_link(sys, path, target);
    }
}

static void put_hostile(const char *sys)
{
    char text[8192];
    /* Two that stand on each other, each twice. */
    for (int i = 7; i <= 8; i++)
        for (int j = 0; j < 2; j++) {
            char name[128], target[64];
            snprintf(name, sizeof name, "devices/virtual/block/dm-%d/slaves/s%d", i, j);
            snprintf(target, sizeof target, "virtual/block/dm-%d", 15 - i);
            put_device_link(sys, name, target);
        }
    put_device_link(sys, "dev/block/253:7", "virtual/block/dm-7");
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    put(sys, "devices/sde/device/model", text);
    put(sys, "devices/sde/device/vendor", text);
    put(sys, "devices/sde/queue/rotational", text);
    put(sys, "devices/sde/queue/read_ahead_kb", "99999999999999999999\n");
    put_device_link(sys, "dev/block/8:64", "sde");
}

static int make_tree(void **state)
{
    struct tree *tree = new_tree(mountinfo);
    *state = tree;
    put_arrays(tree->sys);
    put_nvme(tree->sys);
    put_others(tree->sys);
    put_images(tree->sys);
    put_hostile(tree->sys);
    put_device_link(tree->sys, "fs/btrfs/uuid-1/devices/nvme0n1p3", NVME "nvme0n1/nvme0n1p3");
    put_device_link(tree->sys, "fs/btrfs/uuid-2/devices/sda2", SATA "ata1/host1/block/sda/sda2");
    put_device_link(tree->sys, "fs/btrfs/uuid-2/devices/sdf", SATA "ata2/host2/block/sdf");
    return 0;
}

#define WD     "WDC WD40EFRX-68N"
#define EVO    "Samsung SSD 970 EVO Plus 1TB"
#define PCIE_3 (32e9 / 8 * 128 / 130)

static void disks_are_named_with_their_bus_and_what_stands_on_them(void **state)
{
    static const struct {
        uint64_t id;
        const char *name, *model, *transport, *chain;
        int64_t bus_bits_per_s;
        int32_t rotational, cache_below;
        double plausible;
        const char *of;
        bool certain;
    } cases[] = {
        {20, "nvme0n1", EVO, "nvme", "nvme0n1", 32000000000, 0, 0, PCIE_3, "PCIe at 32 Gb/s", true},
        {40, "sdb", "Seagate Expansion HDD", "usb", "sdb", 480000000, 1, 0, 53248000,
         "USB at 480 Mb/s", true},
        {41, "sda, sdf, sdaa", WD, "sata", "dm-1 (lvm) on md0 (raid5) on sda, sdf, sdaa",
         3000000000, 1, 0, 1100e6, "spinning disk + SATA at 3 Gb/s", true},
        {42, "nvme0n1", EVO, "nvme", "dm-2 (crypt) on nvme0n1", 32000000000, 0, 0, PCIE_3,
         "PCIe at 32 Gb/s", true},
        {43, "nvme0n1", EVO, "nvme", "loop0 (image) on nvme0n1", 32000000000, 0, 1, PCIE_3,
         "PCIe at 32 Gb/s", true},
        {44, "sdb", "Seagate Expansion HDD", "usb", "loop1 (image) on sdb", 480000000, 1, 0,
         53248000, "USB at 480 Mb/s", true},
        {45, "sdc", "", "iscsi", "sdc", SC_UNKNOWN, 1, 0, 400e6, "spinning disk", false},
        {46, "nvme0n1", EVO, "nvme", "nvme0n1", 32000000000, 0, 0, PCIE_3, "PCIe at 32 Gb/s", true},
        {47, "sda, sdf", WD, "sata", "btrfs on sda, sdf", 6000000000, 1, 0, 800e6,
         "2 x spinning disk", true},
        {48, "", "", "", "", SC_UNKNOWN, SC_UNKNOWN, SC_UNKNOWN, 8e9, "", false},
        {49, "sda, sdf, sdaa", WD, "sata", "dm-1 (lvm) on md0 (raid5) on sda, sdf, sdaa",
         3000000000, 1, 0, 1100e6, "spinning disk + SATA at 3 Gb/s", true},
        {50, "loop2", "", "loop", "loop2 (image) on nas:/export as nfs4", SC_UNKNOWN, SC_UNKNOWN, 0,
         8e9, "", false},
        {52, "sda, sdf, sdaa, nvme0n1", WD ", " EVO, "sata, nvme",
         "dm-9 (dm) on [md0 (raid5) on sda, sdf, sdaa], nvme0n1", 3000000000, 1, 0, 1100e6 + PCIE_3,
         "spinning disk + SATA at 3 Gb/s + PCIe at 32 Gb/s", true},
        {53, "sdd", "QEMU HARDDISK", "sata", "sdd", SC_UNKNOWN, SC_UNKNOWN, 0, 8e9, "", false},
        {54, "nvme9n1", "", "nvme-tcp", "nvme9n1", SC_UNKNOWN, 0, 0, 8e9, "", false},
        {58, "", "", "", "", SC_UNKNOWN, SC_UNKNOWN, SC_UNKNOWN, 8e9, "", false}};
    sci_arena *arena = sci_arena_new();
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_facts facts = facts_of(*state, arena, cases[i].id, "");
        const sc_disk_facts *disk = &facts.shown.disk;
        assert_string_equal(disk->name, cases[i].name);
        assert_string_equal(disk->model, cases[i].model);
        assert_string_equal(disk->transport, cases[i].transport);
        assert_string_equal(disk->chain, cases[i].chain);
        assert_int_equal(disk->bus_bits_per_s, cases[i].bus_bits_per_s);
        assert_int_equal(facts.shown.rotational, cases[i].rotational);
        assert_int_equal(facts.shown.cache_below, cases[i].cache_below);
        assert_true(fabs(facts.plausible_bytes_per_s - cases[i].plausible) < 1);
        assert_string_equal(facts.limited_by, cases[i].of);
        assert_int_equal(facts.plausible_certain, cases[i].certain);
    }
    sci_arena_free(&arena);
}

static void read_ahead_is_that_of_the_mount(void **state)
{
    static const struct {
        uint64_t id;
        int64_t bytes;
    } cases[] = {{20, 128 << 10},  {41, 512 << 10}, {46, SC_UNKNOWN}, {51, 15360 << 10},
                 {57, SC_UNKNOWN}, {59, 4 << 20},   {48, SC_UNKNOWN}, {56, SC_UNKNOWN}};
    sci_arena *arena = sci_arena_new();
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        assert_int_equal(facts_of(*state, arena, cases[i].id, "").shown.read_ahead_bytes,
                         cases[i].bytes);
    sci_arena_free(&arena);
}

static void servers_of_block_devices_are_known(void **state)
{
    sci_arena *arena = sci_arena_new();
    assert_string_equal(facts_of(*state, arena, 45, "").shown.server, "192.0.2.8");
    assert_string_equal(facts_of(*state, arena, 45, "").shown.route.address, "192.0.2.8");
    assert_string_equal(facts_of(*state, arena, 54, "").shown.server, "192.0.2.9");
    assert_string_equal(facts_of(*state, arena, 60, "").shown.disk.transport, "nvme-tcp");
    assert_string_equal(facts_of(*state, arena, 60, "").shown.server, "");
    sci_arena_free(&arena);
}

static void hostile_trees_end(void **state)
{
    sci_arena *arena = sci_arena_new();
    sci_facts round = facts_of(*state, arena, 55, ""), odd = facts_of(*state, arena, 56, "");
    assert_int_equal(round.disks, 0);
    assert_string_equal(round.shown.disk.chain, "");
    assert_int_equal(round.shown.rotational, SC_UNKNOWN);
    assert_string_equal(odd.shown.disk.name, "sde");
    assert_true(strlen(odd.shown.disk.model) < 256);
    assert_int_equal(odd.shown.rotational, SC_UNKNOWN);
    sci_arena_free(&arena);
}

/* More disks than are named. */
static void long_lists_are_cut(void **state)
{
    const struct tree *tree = *state;
    char name[128], target[128];
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "devices/many/sd%06d/queue/rotational", i);
        put(tree->sys, name, "0\n");
        snprintf(name, sizeof name, "devices/virtual/block/md7/slaves/sd%06d", i);
        snprintf(target, sizeof target, "many/sd%06d", i);
        put_device_link(tree->sys, name, target);
    }
    put_device_link(tree->sys, "dev/block/9:7", "virtual/block/md7");
    const sci_facts_roots roots = {"/nonexistent", tree->sys, tree->net, tree->mountstats,
                                   recorded_wireless_rate};
    sci_os_info info = {.device_major = 9, .device_minor = 7, .file_system = "ext4"};
    sci_arena *arena = sci_arena_new();
    sci_facts facts;
    assert_int_equal(sci_facts_read(&roots, &info, "/", arena, &facts, NULL), SC_OK);
    assert_int_equal(facts.disks, 200);
    const char *names = facts.shown.disk.name;
    assert_int_equal(strncmp(names, "sd000000, sd000001, ", 20), 0);
    assert_string_equal(names + strlen(names) - 3, "...");
    sci_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disks_are_named_with_their_bus_and_what_stands_on_them),
        cmocka_unit_test(read_ahead_is_that_of_the_mount),
        cmocka_unit_test(servers_of_block_devices_are_known),
        cmocka_unit_test(hostile_trees_end),
        cmocka_unit_test(long_lists_are_cut),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
