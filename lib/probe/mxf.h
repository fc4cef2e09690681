/* MXF (SMPTE ST 377-1): partitions, index tables and the keys and lengths of what lies between. */
#ifndef SCI_PROBE_MXF_H
#define SCI_PROBE_MXF_H

#include "probe/media.h"

enum { SCI_MXF_KEY_BYTES = 16, SCI_MXF_KLV_BYTES_MAX = SCI_MXF_KEY_BYTES + 9 };

/* Key, length, value. */
typedef struct sci_klv {
    uint8_t key[SCI_MXF_KEY_BYTES];
    int64_t start, value, end; /* end may lie beyond the file */
} sci_klv;

typedef enum sci_mxf_item {
    SCI_MXF_OTHER,
    SCI_MXF_FILL,
    SCI_MXF_PARTITION,
    SCI_MXF_INDEX,
    SCI_MXF_SYSTEM, /* starts an edit unit, where it is used */
    SCI_MXF_VIDEO,
    SCI_MXF_SOUND,
    SCI_MXF_DATA,
    SCI_MXF_ENCRYPTED
} sci_mxf_item;

typedef struct sci_mxf_partition {
    int64_t start;
    int64_t essence; /* where essence starts, after header metadata and index */
    int64_t end;     /* where the next partition starts, or the file ends */
    int64_t body_offset;
    int64_t footer; /* as the partition says, 0 when it does not */
    int64_t previous;
    int64_t metadata; /* of the header, up to the index */
    int64_t index, index_bytes;
    uint32_t body_sid, index_sid;
    bool open; /* written before the essence was all there */
} sci_mxf_partition;

typedef struct sci_mxf_unit {
    int64_t offset; /* in the essence container */
    bool key;
} sci_mxf_unit;

/* The index of one essence container: units of one size, or one by one, in stored order. */
typedef struct sci_mxf_index {
    uint32_t body_sid;
    sc_rational rate; /* edit units a second */
    int64_t unit_bytes;
    int64_t duration;    /* edit units that the segments speak of; 0: of constant ones, all */
    sci_mxf_unit *units; /* malloc'ed */
    size_t unit_count, unit_capacity;
    bool holes; /* a segment is missing */
} sci_mxf_index;

enum { SCI_MXF_PARTITIONS_MAX = 65536, SCI_MXF_INDEXES_MAX = 32 };

typedef struct sci_mxf {
    sci_media *media;
    sci_window window;
    sci_mxf_partition *partitions; /* malloc'ed, by position */
    size_t partition_count, partition_capacity;
    sci_mxf_index indexes[SCI_MXF_INDEXES_MAX];
    size_t index_count;
    bool complete;    /* the partitions are all known */
    int64_t footer;   /* where the header says that essence has ended by then; 0: it does not */
    uint64_t claimed; /* streams that an essence container was found for, by bit */
} sci_mxf;

/* mxf_file.c */

/* Of bytes that were read: where value and end lie behind the key; the end may lie beyond `room`. */
bool sci_mxf_klv_in(const uint8_t *bytes, size_t room, int64_t *value, int64_t *end);
bool sci_mxf_klv_at(sci_mxf *mxf, int64_t offset, sci_klv *klv);
sci_mxf_item sci_mxf_item_of(const uint8_t key[SCI_MXF_KEY_BYTES]);
/* Of partitions: the last one. */
bool sci_mxf_is_footer(const uint8_t key[SCI_MXF_KEY_BYTES]);
/* Partitions from the random index pack, the footer's chain, or as far as the header goes. */
bool sci_mxf_find_partitions(sci_mxf *mxf);
/* Where the essence of a partition starts whose pack is at hand. */
bool sci_mxf_skip_partition(sci_mxf *mxf, const sci_klv *pack, int64_t *essence);
/* mxf_index.c: read the index segments of all partitions; false when reading fails. */
bool sci_mxf_read_indexes(sci_mxf *mxf);
/* mxf_picture.c: what the header's metadata says of the pictures; the demuxer's rasters are corrected. */
void sci_mxf_read_picture(sci_mxf *mxf);
void sci_mxf_close(sci_mxf *mxf);

#endif
