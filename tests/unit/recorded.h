/* Recorded /proc and /sys trees, written into a directory of their own. */
#ifndef RECORDED_H
#define RECORDED_H

#include "measure/facts.h"
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
    char root[64], mountinfo[96], sys[96], net[96], mountstats[96];
};

static inline void put(const char *root, const char *name, const char *text)
{
    char path[1024];
    assert_true((size_t)snprintf(path, sizeof path, "%s/%s", root, name) < sizeof path);
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline void put_link(const char *root, const char *name, const char *target)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root, name);
    put(root, name, "");
    unlink(path);
    assert_int_equal(symlink(target, path), 0);
}

/* A link to what lies in devices/, whatever the place of the link. */
static inline void put_device_link(const char *sys, const char *name, const char *device)
{
    char target[512];
    snprintf(target, sizeof target, "%s/devices/%s", sys, device);
    put_link(sys, name, target);
}

static inline struct tree *new_tree(const char *mountinfo)
{
    struct tree *tree = calloc(1, sizeof *tree);
    strcpy(tree->root, "/tmp/facts.XXXXXX");
    assert_non_null(mkdtemp(tree->root));
    snprintf(tree->mountinfo, sizeof tree->mountinfo, "%s/mountinfo", tree->root);
    snprintf(tree->sys, sizeof tree->sys, "%s/sys", tree->root);
    snprintf(tree->net, sizeof tree->net, "%s/net", tree->root);
    snprintf(tree->mountstats, sizeof tree->mountstats, "%s/mountstats", tree->root);
    put(tree->root, "mountinfo", mountinfo);
    put(tree->root, "mountstats",
        "device nas.local:/media mounted on / with fstype nfs4 statvers=1.1\n"
        "\topts:\trw,vers=4.2\n"
        "\tnfsv4:\tbm0=0xfdffbfff,acl=0x3,sessions,pnfs=not configured,lease_time=90\n");
    return tree;
}

static inline int remove_tree(void **state)
{
    struct tree *tree = *state;
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", tree->root);
    int status = system(command);
    free(tree);
    return status;
}

/* wlan0 sends at 433.3 Mb/s; no other interface is wireless. */
static inline int recorded_wireless_rate(const char *interface, int64_t *bits_per_s)
{
    if (strcmp(interface, "wlan0") != 0)
        return ENODEV;
    *bits_per_s = 433300000;
    return 0;
}

static inline sci_facts facts_of(const struct tree *tree, sci_arena *arena, uint64_t mount_id,
                                 const char *path)
{
    const sci_facts_roots roots = {tree->mountinfo, tree->sys, tree->net, tree->mountstats,
                                   recorded_wireless_rate};
    sci_os_info info = {.mount_id = mount_id, .file_system = ""};
    sci_facts facts;
    assert_int_equal(sci_facts_read(&roots, &info, path, arena, &facts, NULL), SC_OK);
    return facts;
}

#endif
