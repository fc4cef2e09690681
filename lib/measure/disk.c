#include "measure/disk.h"

#include "measure/mounts.h"
#include "measure/sysfs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SPINNING_BYTES_PER_S = 400e6; /* one disk's outer zone, with room */
static const double NVME_BYTES_PER_S = 16e9;      /* PCIe 5.0 x4 */

/* ---- transports ---- */

struct rule {
    const char *start, *transport;
};

static const struct rule by_name[] = {
    {"mmcblk", "mmc"}, {"loop", "loop"},   {"nbd", "nbd"},    {"rbd", "rbd"},     {"drbd", "drbd"},
    {"xvd", "xen"},    {"zram", "memory"}, {"ram", "memory"}, {"pmem", "memory"}, {"vd", "virtio"}};

/* A part of the path below /sys/devices; the first that is there decides. */
static const struct rule by_path[] = {
    {"/session", "iscsi"}, {"/rport-", "fc"},   {"/end_device-", "sas"},
    {"/usb", "usb"},       {"/ata", "sata"},    {"/virtio", "virtio"},
    {"/VMBUS", "hyperv"},  {"/fw", "firewire"}, {"/host", "scsi"}};

static const struct rule by_nvme[] = {{"pcie", "nvme"},
                                      {"tcp", "nvme-tcp"},
                                      {"rdma", "nvme-rdma"},
                                      {"fc", "nvme-fc"},
                                      {"loop", "loop"}};

static const char *devices_part(const char *directory)
{
    const char *part = strstr(directory, "/devices/");
    return part ? part : directory;
}

/* Into path the controller of a namespace, with several paths to it the first; returns how many. */
static size_t find_controller(const char *directory, char *path, size_t size)
{
    char device[PATH_MAX];
    sci_entries entries;
    if (!sci_sysfs_path(device, sizeof device, directory, "device"))
        return 0;
    if (sci_sysfs_exists(device, "transport"))
        return sci_sysfs_path(path, size, directory, "device");
    if (!sci_entries_read(device, "nvme", &entries))
        return 0;
    size_t count = 0;
    for (size_t i = entries.count; i-- > 0;)
        if (sci_sysfs_path(path, size, device, entries.names[i]) &&
            sci_sysfs_exists(path, "transport"))
            count++;
    sci_entries_free(&entries);
    return count;
}

static const char *nvme_transport(const char *directory)
{
    char controller[PATH_MAX], text[16];
    if (find_controller(directory, controller, sizeof controller) &&
        sci_sysfs_text(controller, "transport", text, sizeof text))
        for (size_t i = 0; i < SCI_COUNT(by_nvme); i++)
            if (strcmp(by_nvme[i].start, text) == 0)
                return by_nvme[i].transport;
    return "nvme";
}

static const char *transport_of(const char *directory, const char *name)
{
    if (sci_begins(name, "nvme"))
        return nvme_transport(directory);
    for (size_t i = 0; i < SCI_COUNT(by_name); i++)
        if (sci_begins(name, by_name[i].start))
            return by_name[i].transport;
    for (size_t i = 0; i < SCI_COUNT(by_path); i++)
        if (strstr(devices_part(directory), by_path[i].start))
            return by_path[i].transport;
    return "";
}

/* ---- buses ---- */

/* Cuts the path behind the part that begins with `start`; what follows in that part is its number. */
static bool cut_behind(char *path, const char *start, const char **number)
{
    char *part = strstr(path + (devices_part(path) - path), start);
    if (!part)
        return false;
    part[1 + strcspn(part + 1, "/")] = '\0';
    *number = part + strlen(start);
    return true;
}

/* "480" Mb/s in the nearest directory above that has it: the USB device. */
static int64_t usb_bits_per_s(const char *directory)
{
    char path[PATH_MAX], *slash;
    sci_copy(path, sizeof path, directory);
    while ((slash = strrchr(path, '/')) && strstr(devices_part(path), "/usb")) {
        int64_t speed = sci_sysfs_number(path, "speed");
        if (speed > 0 && speed <= 1000000)
            return speed * 1000000;
        *slash = '\0';
    }
    return SC_UNKNOWN;
}

/* "6.0 Gbps" and "8.0 GT/s PCIe". */
static double giga_number(const char *directory, const char *name)
{
    char text[32];
    int64_t mantissa;
    int decimals;
    const char *at = text;
    if (!sci_sysfs_text(directory, name, text, sizeof text) ||
        !sci_parse_decimal(&at, &mantissa, &decimals) || !sci_begins(at, " G"))
        return -1;
    double value = (double)mantissa;
    while (decimals-- > 0)
        value /= 10;
    return value < 1000 ? value * 1e9 : -1;
}

static int64_t sata_bits_per_s(const char *directory)
{
    char path[PATH_MAX], link[PATH_MAX];
    const char *number;
    sci_copy(path, sizeof path, directory);
    if (!cut_behind(path, "/ata", &number) ||
        (size_t)snprintf(link, sizeof link, "%s/link%s/ata_link/link%s", path, number, number) >=
            sizeof link)
        return SC_UNKNOWN;
    double bits_per_s = giga_number(link, "sata_spd");
    return bits_per_s > 0 ? (int64_t)bits_per_s : SC_UNKNOWN;
}

/* The most that the link can be trained to: some slow down while they idle. */
static int64_t pcie_bits_per_s(const char *directory)
{
    char controller[PATH_MAX], device[PATH_MAX];
    if (!find_controller(directory, controller, sizeof controller) ||
        !sci_sysfs_path(device, sizeof device, controller, "device"))
        return SC_UNKNOWN;
    double lane = giga_number(device, "max_link_speed");
    int64_t lanes = sci_sysfs_number(device, "max_link_width");
    return lane > 0 && lanes > 0 && lanes <= 32 ? (int64_t)(lane * (double)lanes) : SC_UNKNOWN;
}

/* What the bits carry at most, by line code alone; high-speed USB by the 13 packets of 512 bytes of
   a microframe and full speed by the 19 of 64 of a frame (USB 2.0, tables 5-9 and 5-10). */
static double usb_bytes_per_s(int64_t bits_per_s)
{
    if (bits_per_s <= 12000000)
        return 19 * 64 * 1e3;
    if (bits_per_s <= 480000000)
        return 13 * 512 * 8e3;
    return bits_per_s <= 5000000000 ? (double)bits_per_s / 10 : (double)bits_per_s / 8 * 128 / 132;
}

static double sata_bytes_per_s(int64_t bits_per_s)
{
    return (double)bits_per_s / 10;
}

/* 8b/10b up to 5 GT/s a lane, 128b/130b above: here by the better of the two. */
static double pcie_bytes_per_s(int64_t bits_per_s)
{
    return (double)bits_per_s / 8 * 128 / 130;
}

static const struct {
    const char *transport, *title;
    int64_t (*bits_per_s)(const char *directory);
    double (*bytes_per_s)(int64_t bits_per_s);
} buses[] = {{"usb", "USB", usb_bits_per_s, usb_bytes_per_s},
             {"sata", "SATA", sata_bits_per_s, sata_bytes_per_s},
             {"nvme", "PCIe", pcie_bits_per_s, pcie_bytes_per_s}};

/* ---- claims ---- */

/* A virtual machine's disk claims to turn, and to hang on a bus, whatever lies below it. */
static bool can_be_believed(const char *name, const char *vendor, const char *model)
{
    static const char *const virtual_disks[] = {"vd", "xvd", "nbd", "rbd", "zram", "ram", "drbd"};
    static const char *const virtual_makers[] = {"QEMU", "VBOX",   "VMware",   "Virtual",
                                                 "Msft", "Amazon", "Google",   "nvme_card",
                                                 "Xen",  "Linode", "Parallels"};
    for (size_t i = 0; i < SCI_COUNT(virtual_disks); i++)
        if (sci_begins(name, virtual_disks[i]))
            return false;
    for (size_t i = 0; i < SCI_COUNT(virtual_makers); i++)
        if (sci_begins(vendor, virtual_makers[i]) || sci_begins(model, virtual_makers[i]))
            return false;
    return true;
}

/* "WDC WD40EFRX-68N32N0": SCSI puts the maker elsewhere, and ATA disks say "ATA" there. */
static void read_model(const char *directory, char *vendor, char *text, size_t size)
{
    char model[SCI_DISK_TEXT / 2];
    sci_sysfs_text(directory, "device/vendor", vendor, SCI_DISK_TEXT / 4);
    if (!sci_sysfs_text(directory, "device/model", model, sizeof model) &&
        !sci_sysfs_text(directory, "device/name", model, sizeof model))
        model[0] = '\0';
    bool maker = *vendor && *model && strcmp(vendor, "ATA") != 0 && !sci_begins(vendor, "0x");
    snprintf(text, size, "%s%s%s", maker ? vendor : "", maker ? " " : "", model);
}

static void look_at_kind(sci_disk *disk, const char *vendor, bool believed)
{
    disk->plausible_bytes_per_s = SCI_MEMORY_BYTES_PER_S;
    disk->plausible_certain = false;
    if (strcmp(disk->transport, "nvme") == 0) {
        disk->plausible_bytes_per_s = NVME_BYTES_PER_S;
        disk->plausible_certain = believed;
        sci_copy(disk->limited_by, sizeof disk->limited_by, "NVMe disk");
    } else if (disk->rotational == 1) {
        disk->plausible_bytes_per_s = SPINNING_BYTES_PER_S;
        disk->plausible_certain = strcmp(vendor, "ATA") == 0;
        sci_copy(disk->limited_by, sizeof disk->limited_by, "spinning disk");
    }
}

static void look_at_bus(sci_disk *disk, const char *directory)
{
    char rate[32];
    for (size_t i = 0; i < SCI_COUNT(buses); i++)
        if (strcmp(buses[i].transport, disk->transport) == 0) {
            disk->bus_bits_per_s = buses[i].bits_per_s(directory);
            if (disk->bus_bits_per_s <= 0)
                return;
            double most_bytes_per_s = buses[i].bytes_per_s(disk->bus_bits_per_s);
            if (most_bytes_per_s >= disk->plausible_bytes_per_s)
                return;
            disk->plausible_bytes_per_s = most_bytes_per_s;
            disk->plausible_certain = true;
            snprintf(disk->limited_by, sizeof disk->limited_by, "%s at %s", buses[i].title,
                     sci_bits_text(rate, sizeof rate, disk->bus_bits_per_s));
        }
}

/* ---- servers of network block devices: unknown where several paths lead to them ---- */

static void iscsi_address(const sci_facts_roots *roots, const char *directory, sci_disk *disk)
{
    char path[PATH_MAX], start[64], connections[PATH_MAX];
    const char *number;
    sci_entries entries;
    sci_copy(path, sizeof path, directory);
    if (!cut_behind(path, "/session", &number) ||
        (size_t)snprintf(start, sizeof start, "connection%s:", number) >= sizeof start ||
        !sci_sysfs_path(connections, sizeof connections, roots->sys, "class/iscsi_connection") ||
        !sci_entries_read(connections, start, &entries))
        return;
    if (entries.count == 1 && sci_sysfs_path(path, sizeof path, connections, entries.names[0]) &&
        !sci_sysfs_text(path, "address", disk->address, sizeof disk->address))
        sci_sysfs_text(path, "persistent_address", disk->address, sizeof disk->address);
    sci_entries_free(&entries);
}

/* "traddr=192.0.2.7,trsvcid=4420". */
static void nvme_address(const char *directory, sci_disk *disk)
{
    char controller[PATH_MAX], text[256];
    if (find_controller(directory, controller, sizeof controller) == 1 &&
        sci_sysfs_text(controller, "address", text, sizeof text))
        sci_option_text(text, "traddr", disk->address, sizeof disk->address);
}

void sci_disk_look(const sci_facts_roots *roots, const char *directory, sci_disk *disk)
{
    char vendor[SCI_DISK_TEXT / 4];
    const char *slash = strrchr(directory, '/'), *name = slash ? slash + 1 : directory;
    int64_t turns = sci_sysfs_number(directory, "queue/rotational");
    *disk = (sci_disk){.bus_bits_per_s = SC_UNKNOWN, .transport = transport_of(directory, name)};
    read_model(directory, vendor, disk->model, sizeof disk->model);
    bool believed = can_be_believed(name, vendor, disk->model);
    /* A loop device says that it does not turn, whatever its image lies on. */
    disk->rotational = turns < 0 || (turns == 1 && !believed) ||
                               strcmp(disk->transport, "loop") == 0
                           ? SC_UNKNOWN
                           : turns == 1;
    look_at_kind(disk, vendor, believed);
    if (believed)
        look_at_bus(disk, directory);
    if (strcmp(disk->transport, "iscsi") == 0)
        iscsi_address(roots, directory, disk);
    else if (strcmp(disk->transport, "nvme-tcp") == 0 || strcmp(disk->transport, "nvme-rdma") == 0)
        nvme_address(directory, disk);
}
