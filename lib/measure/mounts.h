/* Which mount holds a path, from mountinfo alone. */
#ifndef SCI_MEASURE_MOUNTS_H
#define SCI_MEASURE_MOUNTS_H

#include "core/core.h"

/* Strings lie in an arena; "" when unknown. */
typedef struct sci_mount {
    uint32_t device_major, device_minor;
    const char *mount_point, *file_system, *source;
    const char *options; /* per mount, then the file system's own */
    bool read_only;
    bool network, memory, fuse;
    bool one_server; /* all that is read comes from the server that is named, as it is */
    bool own_name; /* the source is a name of the program's own: of a remote, a bucket, a volume */
} sci_mount;

sci_mount sci_mount_unknown(void);
/* Set the file system and what follows from its kind; false without memory. */
bool sci_mount_name(sci_mount *mount, const char *file_system, sci_arena *arena);
/* By its id, or with id 0 the last of those whose mount point is the longest above the path. The
   mount stays as it is where there is none. False without memory. */
bool sci_mount_find(const char *mountinfo, uint64_t mount_id, const char *real_path,
                    sci_arena *arena, sci_mount *mount);

/* "//nas/media", "nas:/export", "user@host:dir", "[fe80::1]:/export", "https://host/dir",
   "mfs#host:9421", "host@tcp:/fs" of lustre: the host; "" where there is none. NULL without
   memory. */
char *sci_mount_server(const sci_mount *mount, sci_arena *arena);

/* Whether no NFS mount of this machine reads from data servers besides its own (pNFS); false where
   that cannot be told. */
bool sci_mount_one_nfs_server(const char *mountstats);

/* Set *memory where one of the directories that an overlay shows lies in memory; leave it alone
   where none does, or it is not known. False without memory. */
bool sci_mount_layers_in_memory(const char *mountinfo, const sci_mount *mount, sci_arena *arena,
                                bool *memory);

/* What stands behind "name=" in a list with commas; "" where the name stands alone, NULL where it
   is not there. */
const char *sci_option_find(const char *options, const char *name);
/* The same as text up to the comma, cut to fit; "" and false where the name is not there. */
bool sci_option_text(const char *options, const char *name, char *text, size_t size);
/* SC_UNKNOWN where the name is not there or no number stands behind it. */
int64_t sci_option_number(const char *options, const char *name);

#endif
