/* The walk through a Matroska file against a reading of every packet. */
#include "probing.h"

#include <streamcalc/probe.h>

#include <fcntl.h>

static const struct recipe clips[] = {
    {"h264.mkv", "-c:v libx264 -bf 3 -g 12 -c:a aac"},
    {"prores.mkv", "-c:v prores_ks -c:a pcm_s24le"},
    {"vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus"},
    {"live.mkv", "-c:v libx264 -bf 2 -c:a aac -f matroska -live 1"},
    {"front.mkv", "-c:v libx264 -c:a flac -cues_to_front 1 -reserve_index_space 20000"},
    {"small.mkv", "-c:v libx264 -c:a aac -cluster_time_limit 100"},
    {"mjpeg.mkv", "-c:v mjpeg -c:a ac3 -cluster_size_limit 20000"},
    {"long.mkv", "-c:v mjpeg -q:v 2 -c:a pcm_s16le -t 20"},
    {"groups.mkv", "-c:v libx264 -preset ultrafast -qp 6 -bf 2 -g 12 -c:a aac -t 40"},
    {"long_front.mkv",
     "-c:v mjpeg -q:v 2 -c:a pcm_s16le -t 20 -cues_to_front 1 -reserve_index_space 40000"},
};

enum { TRACKS = 4, TIMES = 4096 };

struct times {
    int64_t items[TRACKS][TIMES];
    size_t counts[TRACKS];
};

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Pictures are due in the order in which they are shown. The demuxer takes what a codec begins with
   off the times of sound. */
static void compare_times(const struct probing *probing, struct times *read)
{
    for (int i = 0; i < TRACKS; i++) {
        size_t next = 0;
        int64_t lead = 0;
        qsort(read->items[i], read->counts[i], sizeof(int64_t), by_value);
        for (size_t k = 0; k < read->counts[i]; k++) {
            const sci_packet *found = next_of(&probing->media.packets, i, &next);
            if (k == 0)
                lead = found->time - read->items[i][0];
            assert_in_range(lead, 0, 100);
            assert_int_equal(found->time, read->items[i][k] + lead);
        }
    }
}

/* Position, size and time of every packet of the walk, against those that the demuxer reads. Its
   positions are those of the block, a few bytes before its contents. */
static void compare(struct probing *probing, const char *path)
{
    enum { BLOCK_HEADER_MAX = 12 };
    static struct times times;
    AVFormatContext *format = NULL;
    AVPacket *packet = av_packet_alloc();
    size_t next[TRACKS] = {0}, read = 0;
    memset(times.counts, 0, sizeof times.counts);
    assert_int_equal(avformat_open_input(&format, path, NULL, NULL), 0);
    while (av_read_frame(format, packet) >= 0) {
        const int track = packet->stream_index;
        const sci_packet *found = next_of(&probing->media.packets, track, &next[track]);
        const enum AVCodecID codec = format->streams[track]->codecpar->codec_id;
        read++;
        assert_int_equal(found->bytes + (codec == AV_CODEC_ID_PRORES ? 8 : 0), packet->size);
        assert_in_range(found->pos, packet->pos, packet->pos + BLOCK_HEADER_MAX);
        assert_int_equal(found->key, (packet->flags & AV_PKT_FLAG_KEY) != 0);
        assert_true(times.counts[track] < TIMES);
        times.items[track][times.counts[track]++] = packet->pts;
        av_packet_unref(packet);
    }
    assert_int_equal(read, probing->media.packets.count);
    av_packet_free(&packet);
    avformat_close_input(&format);
    if (!(probing->media.flags & SC_CLIP_TRUNCATED))
        compare_times(probing, &times);
}

static void every_block_is_found(void **state)
{
    (void)state;
    size_t done = 0;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        struct probing probing = {0};
        const char *path = in_folder(clips[i].name);
        if (!is_there(clips[i].name))
            continue;
        collect(&probing, path, false, -1);
        assert_int_equal(probing.status, SC_OK);
        assert_int_equal(probing.media.source, SC_SOURCE_HEADER_WALK);
        assert_int_equal(probing.media.flags, 0);
        compare(&probing, path);
        release(&probing);
        done++;
    }
    if (!done)
        skip();
}

static void what_was_cut_off_is_said_so(void **state)
{
    struct stat facts;
    (void)state;
    if (stat(in_folder("h264.mkv"), &facts) != 0)
        skip();
    for (long bytes = facts.st_size / 5; bytes < facts.st_size; bytes += facts.st_size / 53 + 1) {
        struct probing probing = {0};
        copy_part("h264.mkv", "cut.mkv", bytes);
        collect(&probing, in_folder("cut.mkv"), false, -1);
        assert_int_equal(probing.status, SC_OK);
        assert_int_equal(probing.media.source, SC_SOURCE_HEADER_WALK);
        assert_true(probing.media.flags & SC_CLIP_TRUNCATED);
        compare(&probing, in_folder("cut.mkv"));
        release(&probing);
    }
}

static void overwrite(const char *name, int64_t at, const void *bytes, size_t size)
{
    int fd = open(in_folder(name), O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, size, at), size);
    close(fd);
}

static bool has_finding(const sci_media *media, const char *code)
{
    for (size_t i = 0; i < media->findings.count; i++)
        if (strcmp(media->findings.items[i].code, code) == 0)
            return true;
    return false;
}

static void the_walk_goes_on_behind_damage(void **state)
{
    struct stat facts;
    struct probing probing = {0};
    const uint8_t nothing[16] = {0};
    (void)state;
    if (stat(in_folder("small.mkv"), &facts) != 0)
        skip();
    collect(&probing, in_folder("small.mkv"), false, -1);
    const size_t whole = probing.media.packets.count;
    const int64_t at = probing.media.packets.items[whole / 2].pos - (int64_t)sizeof nothing;
    release(&probing);
    copy_part("small.mkv", "hurt.mkv", facts.st_size);
    overwrite("hurt.mkv", at, nothing, sizeof nothing);
    probing = (struct probing){0};
    collect(&probing, in_folder("hurt.mkv"), false, -1);
    assert_int_equal(probing.status, SC_OK);
    assert_int_equal(probing.media.source, SC_SOURCE_HEADER_WALK);
    assert_true(has_finding(&probing.media, "damaged-clusters"));
    assert_in_range(probing.media.packets.count, whole * 9 / 10, whole - 1);
    compare(&probing, in_folder("hurt.mkv"));
    release(&probing);
}

/* Nothing but a clear end may come of whatever the bytes are. */
static void damage_does_no_harm(void **state)
{
    static const struct {
        const char *name;
        int64_t max_bytes;
    } victims[] = {{"small.mkv", -1}, {"long_front.mkv", 150000}, {"groups.mkv", 150000}};
    unsigned seed = 7;
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(victims); i++) {
        struct stat facts;
        if (stat(in_folder(victims[i].name), &facts) != 0)
            continue;
        for (int round = 0; round < 60; round++) {
            struct probing probing = {0};
            copy_part(victims[i].name, "damaged.mkv", facts.st_size);
            for (int k = 0; k < 8; k++) {
                uint8_t byte = (uint8_t)((seed = seed * 1103515245u + 12345u) >> 24);
                seed = seed * 1103515245u + 12345u;
                overwrite("damaged.mkv", (seed >> 4) % (k < 4 ? 1500u : (unsigned)facts.st_size),
                          &byte, 1);
            }
            collect(&probing, in_folder("damaged.mkv"), round & 1 && !i, victims[i].max_bytes);
            release(&probing);
        }
        done++;
    }
    if (!done)
        skip();
}

/* ---- laces ---- */

struct bytes {
    uint8_t items[1 << 16];
    size_t count;
};

static void put(struct bytes *bytes, const void *items, size_t count)
{
    assert_true(bytes->count + count <= sizeof bytes->items);
    memcpy(bytes->items + bytes->count, items, count);
    bytes->count += count;
}

static void put_element(struct bytes *bytes, uint32_t id, const void *contents, size_t size)
{
    uint8_t header[6];
    size_t length = 0;
    for (int shift = 24; shift >= 0; shift -= 8)
        if (id >> shift)
            header[length++] = (uint8_t)(id >> shift);
    header[length++] = (uint8_t)(0x40 | size >> 8);
    header[length++] = (uint8_t)size;
    put(bytes, header, length);
    put(bytes, contents, size);
}

static void put_block(struct bytes *cluster, const char *header, size_t header_size, size_t frames)
{
    uint8_t block[2048] = {0};
    memcpy(block, header, header_size);
    put_element(cluster, 0xA3, block, header_size + frames);
}

/* Sound in laces of each kind: three frames of 300, 8 and 20 bytes, and four of 12. */
static void make_laced(const char *path)
{
    static struct bytes file, segment, tracks, track, cluster;
    const double rate = 48000;
    uint8_t audio[14] = {0xB5, 0x88, [10] = 0x62, 0x64, 0x81, 16}; /* rate and depth */
    uint64_t bits;
    memcpy(&bits, &rate, sizeof bits);
    for (int i = 0; i < 8; i++)
        audio[2 + i] = (uint8_t)(bits >> (56 - 8 * i));
    file.count = segment.count = tracks.count = track.count = cluster.count = 0;
    put_element(&file, 0x1A45DFA3, "\x42\x82\x88matroska", 11);
    put_element(&track, 0xD7, "\1", 1);
    put_element(&track, 0x73C5, "\1", 1);
    put_element(&track, 0x83, "\2", 1);
    put_element(&track, 0x86, "A_PCM/INT/LIT", 13);
    put_element(&track, 0xE1, audio, sizeof audio);
    put_element(&tracks, 0xAE, track.items, track.count);
    put_element(&segment, 0x1549A966, "\x2A\xD7\xB1\x83\x0F\x42\x40", 7);
    put_element(&segment, 0x1654AE6B, tracks.items, tracks.count);
    put_element(&cluster, 0xE7, "\0", 1);
    put_block(&cluster, "\x81\0\0\x80", 4, 100);
    put_block(&cluster, "\x81\0\x18\x82\2\xFF\x2D\x08", 8, 328);              /* Xiph */
    put_block(&cluster, "\x81\0\x60\x84\3", 5, 48);                           /* fixed */
    put_block(&cluster, "\x81\0\xC0\x86\2\x41\x2C\x5E\xDB", 9, 300 + 8 + 20); /* EBML: 300, -292 */
    put_block(&cluster, "\x81\0\xF0\x80", 4, 90);
    put_element(&segment, 0x1F43B675, cluster.items, cluster.count);
    put_element(&file, 0x18538067, segment.items, segment.count);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file.items, 1, file.count, out), file.count);
    fclose(out);
}

static void frames_of_laces_are_counted(void **state)
{
    struct probing probing = {0};
    AVFormatContext *format = NULL;
    AVPacket *packet = av_packet_alloc();
    int64_t packets = 0, bytes = 0;
    (void)state;
    make_laced(in_folder("laced.mkv"));
    assert_int_equal(avformat_open_input(&format, in_folder("laced.mkv"), NULL, NULL), 0);
    while (av_read_frame(format, packet) >= 0) {
        packets++;
        bytes += packet->size;
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    avformat_close_input(&format);
    assert_int_equal(packets, 1 + 3 + 4 + 3 + 1);
    collect(&probing, in_folder("laced.mkv"), false, -1);
    assert_int_equal(probing.status, SC_OK);
    assert_int_equal(probing.media.source, SC_SOURCE_HEADER_WALK);
    assert_int_equal(probing.media.packets.count, 5);
    assert_int_equal(probing.media.packets.items[1].bytes, 328);
    assert_true(probing.media.tracks[0].told.set);
    assert_int_equal(probing.media.tracks[0].told.packets, packets);
    assert_int_equal(probing.media.tracks[0].told.bytes, bytes);
    release(&probing);
}

/* ---- what is allowed and seldom written ---- */

enum odd {
    UNKNOWN_SEGMENT = 1 << 0, /* of unknown size, as live recordings have it */
    UNKNOWN_CLUSTERS = 1 << 1,
    VOIDS = 1 << 2,      /* unused space in every element */
    CHECKSUMS = 1 << 3,  /* a CRC-32 at the start of every one */
    LONG_SIZES = 1 << 4, /* all sizes in 8 bytes */
    GROUPS = 1 << 5,     /* blocks in groups, with what may lie beside them */
    STRANGERS = 1 << 6,  /* elements that no specification knows */
    ODD_KINDS = 1 << 7
};

/* size_unknown: all ones, and nothing but the header is put. */
static void put_odd(struct bytes *bytes, uint32_t id, const struct bytes *contents, int odd,
                    bool size_unknown)
{
    uint8_t header[4];
    size_t length = 0;
    for (int shift = 24; shift >= 0; shift -= 8)
        if (id >> shift)
            header[length++] = (uint8_t)(id >> shift);
    put(bytes, header, length);
    if (size_unknown)
        put(bytes, "\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8);
    else if (odd & LONG_SIZES)
        put(bytes,
            (const uint8_t[]){1, 0, 0, 0, 0, 0, (uint8_t)(contents->count >> 8),
                              (uint8_t)contents->count},
            8);
    else
        put(bytes,
            (const uint8_t[]){0x20, (uint8_t)(contents->count >> 8), (uint8_t)contents->count}, 3);
    if (contents)
        put(bytes, contents->items, contents->count);
}

static void put_value(struct bytes *bytes, uint32_t id, const void *value, size_t size, int odd)
{
    struct bytes contents = {.count = 0};
    put(&contents, value, size);
    put_odd(bytes, id, &contents, odd, false);
}

/* What may stand at the start of every element. */
static struct bytes begin_element(int odd)
{
    struct bytes contents = {.count = 0};
    if (odd & CHECKSUMS)
        put_value(&contents, 0xBF, "\1\2\3\4", 4, odd);
    if (odd & VOIDS)
        put_value(&contents, 0xEC, "\xA3\x83\x81\0\0\x80", 6, odd);
    if (odd & STRANGERS)
        put_value(&contents, 0x1A2B3C4D, "\xA3\x83\x81\0\0\x80", 6, odd);
    return contents;
}

static void put_odd_track(struct bytes *segment, int odd)
{
    struct bytes tracks = begin_element(odd), track = begin_element(odd),
                 picture = begin_element(odd);
    put_value(&track, 0xD7, "\1", 1, odd);
    put_value(&track, 0x73C5, "\1", 1, odd);
    put_value(&track, 0x83, "\1", 1, odd);
    put_value(&track, 0x86, "V_SNOW", 6, odd);
    put_value(&picture, 0xB0, "\x40", 1, odd);
    put_value(&picture, 0xBA, "\x20", 1, odd);
    put_odd(&track, 0xE0, &picture, odd, false);
    put_odd(&tracks, 0xAE, &track, odd, false);
    put_odd(segment, 0x1654AE6B, &tracks, odd, false);
}

static void put_odd_block(struct bytes *cluster, int k, int odd)
{
    static uint8_t block[4 + 64];
    struct bytes group = begin_element(odd), additions = begin_element(odd),
                 more = begin_element(odd);
    const bool key = k % 4 == 0;
    memcpy(block, (const uint8_t[]){0x81, 0, (uint8_t)(40 * k), key ? 0x80 : 0}, 4);
    if (!(odd & GROUPS)) {
        put_value(cluster, 0xA3, block, (size_t)(4 + 20 + k), odd);
        return;
    }
    block[3] = 0;
    put_value(&more, 0xEE, "\1", 1, odd);
    put_value(&more, 0xA5, "alpha\xA1\x81\0\0", 9, odd);
    put_odd(&additions, 0xA6, &more, odd, false);
    if (k % 2) /* Order is free. */
        put_odd(&group, 0x75A1, &additions, odd, false);
    if (!key)
        put_value(&group, 0xFB, "\xD8", 1, odd);
    put_value(&group, 0xA1, block, (size_t)(4 + 20 + k), odd);
    put_value(&group, 0x9B, "\x28", 1, odd);
    if (k % 2 == 0)
        put_odd(&group, 0x75A1, &additions, odd, false);
    put_odd(cluster, 0xA0, &group, odd, false);
}

enum { ODD_CLUSTERS = 3, ODD_BLOCKS = 6 };

static void make_odd(const char *path, int odd)
{
    struct bytes file = {.count = 0}, head = begin_element(odd), segment = begin_element(odd),
                 info = begin_element(odd), tags = begin_element(odd);
    put_value(&head, 0x42F2, "\4", 1, odd);
    put_value(&head, 0x42F3, "\x8", 1, odd);
    put_value(&head, 0x4282, "matroska", 8, odd);
    put_odd(&file, 0x1A45DFA3, &head, odd & LONG_SIZES, false);
    put_value(&info, 0x2AD7B1, "\x0F\x42\x40", 3, odd);
    put_odd(&segment, 0x1549A966, &info, odd, false);
    put_odd_track(&segment, odd);
    for (int c = 0; c < ODD_CLUSTERS; c++) {
        struct bytes cluster = begin_element(odd);
        put_value(
            &cluster, 0xE7,
            (const uint8_t[]){(uint8_t)(c * 40 * ODD_BLOCKS >> 8), (uint8_t)(c * 40 * ODD_BLOCKS)},
            2, odd);
        for (int k = 0; k < ODD_BLOCKS; k++)
            put_odd_block(&cluster, k, odd);
        put_odd(&segment, 0x1F43B675, &cluster, odd, odd & UNKNOWN_CLUSTERS);
    }
    put_odd(&segment, 0x1254C367, &tags, odd, false);
    put_odd(&file, 0x18538067, &segment, odd, odd & UNKNOWN_SEGMENT);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file.items, 1, file.count, out), file.count);
    fclose(out);
}

/* Every mixture of them. */
static void oddities_change_nothing(void **state)
{
    const char *path = in_folder("odd.mkv");
    (void)state;
    for (int odd = 0; odd < ODD_KINDS; odd++) {
        struct probing probing = {0};
        make_odd(path, odd);
        collect(&probing, path, false, -1);
        if (probing.status != SC_OK || probing.media.packets.count != ODD_CLUSTERS * ODD_BLOCKS ||
            probing.media.flags)
            fail_msg("oddities %02x: %zu packets, flags %x", odd, probing.media.packets.count,
                     probing.media.flags);
        assert_int_equal(probing.media.source, SC_SOURCE_HEADER_WALK);
        compare(&probing, path);
        release(&probing);
    }
}

/* EBMLMaxIDLength and EBMLMaxSizeLength of more than Matroska may have; less changes nothing. */
static void longer_identifiers_are_refused(void **state)
{
    enum { ID_LENGTH_AT = 12, SIZE_LENGTH_AT = 18 };
    static const struct {
        int64_t at;
        uint8_t most;
        sc_status status;
    } cases[] = {{ID_LENGTH_AT, 4, SC_OK},
                 {ID_LENGTH_AT, 3, SC_OK},
                 {ID_LENGTH_AT, 0, SC_OK},
                 {ID_LENGTH_AT, 5, SC_INVALID_DATA},
                 {ID_LENGTH_AT, 255, SC_INVALID_DATA},
                 {SIZE_LENGTH_AT, 4, SC_OK},
                 {SIZE_LENGTH_AT, 9, SC_INVALID_DATA}};
    const char *path = in_folder("odd.mkv");
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_probe *probe = NULL;
        make_odd(path, 0);
        overwrite("odd.mkv", cases[i].at, &cases[i].most, 1);
        const sc_status status = sc_probe_many(&path, 1, NULL, &probe, NULL);
        if (status != cases[i].status)
            fail_msg("%d at %d: %s", cases[i].most, (int)cases[i].at, sc_status_name(status));
        if (status == SC_OK)
            assert_int_equal(probe->clips[0].tracks[0].packets, ODD_CLUSTERS * ODD_BLOCKS);
        sc_probe_free(&probe);
    }
}

/* ---- from the index of clusters ---- */

enum { TOO_FEW_BYTES = 110000 }; /* for the headers of all blocks, after the file's own */

/* Sums and times of the units of the picture, against what the walk finds. */
static void compare_units(const char *name, bool one_frame_each)
{
    struct probing walk = {0}, cues = {0};
    size_t next = 0, count = 0;
    int64_t walked = 0, told = 0;
    collect(&walk, in_folder(name), true, -1);
    collect(&cues, in_folder(name), false, TOO_FEW_BYTES);
    assert_int_equal(walk.media.source, SC_SOURCE_HEADER_WALK);
    assert_int_equal(cues.status, SC_OK);
    assert_int_equal(cues.media.source, SC_SOURCE_CLUSTERS);
    assert_true(cues.media.file.bytes_read <= TOO_FEW_BYTES);
    assert_int_equal(cues.media.flags, walk.media.flags);
    assert_true(has_finding(&cues.media, "clusters"));
    for (size_t i = 0; i < walk.media.packets.count; i++) {
        walked += walk.media.packets.items[i].bytes;
        count += walk.media.packets.items[i].track == 0;
    }
    if (!(cues.media.flags & SC_CLIP_TRUNCATED))
        assert_int_equal(cues.media.packets.count, count);
    for (size_t i = 0; i < cues.media.packets.count; i++) {
        const sci_packet *unit = &cues.media.packets.items[i];
        const sci_packet *frame = next_of(&walk.media.packets, 0, &next);
        told += unit->bytes;
        assert_in_range(unit->time - frame->time + 1, 0, 2);
        assert_int_equal(unit->key, frame->key);
        assert_true(!one_frame_each || unit->bytes >= frame->bytes);
    }
    if (!(cues.media.flags & SC_CLIP_TRUNCATED))
        assert_in_range(told, walked, walked + walked / 50);
    for (int i = 0; i < 2; i++) {
        const sci_media_track *track = &cues.media.tracks[i];
        int64_t bytes = 0;
        for (size_t k = 0; k < walk.media.packets.count; k++)
            bytes += walk.media.packets.items[k].track == i ? walk.media.packets.items[k].bytes : 0;
        assert_true(track->told.set);
        assert_int_equal(track->told.source, SC_SOURCE_ESTIMATED);
        assert_in_range(track->told.bytes, bytes * 9 / 10, bytes * 11 / 10);
    }
    release(&walk);
    release(&cues);
}

static void clusters_are_used_where_a_walk_is_long(void **state)
{
    struct stat facts;
    (void)state;
    if (stat(in_folder("long.mkv"), &facts) != 0 || stat(in_folder("groups.mkv"), &facts) != 0)
        skip();
    compare_units("long.mkv", true);
    compare_units("groups.mkv", false);
}

/* Where the DefaultDuration of the first track is. */
static int64_t find_frame_duration(const char *name)
{
    uint8_t head[2048];
    size_t at = 0;
    FILE *file = fopen(in_folder(name), "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    while (at + 3 < sizeof head && memcmp(head + at, "\x23\xE3\x83", 3) != 0)
        at++;
    assert_true(at + 3 < sizeof head);
    return (int64_t)at;
}

static void copy(const char *from, const char *to)
{
    struct stat facts;
    if (stat(in_folder(from), &facts) != 0)
        skip();
    copy_part(from, to, facts.st_size);
}

/* Nothing that says how long a frame lasts: the times of those that were read do. */
static void a_rate_that_is_not_told_is_found(void **state)
{
    (void)state;
    copy("groups.mkv", "rateless.mkv");
    overwrite("rateless.mkv", find_frame_duration("rateless.mkv"), "\x23\xE3\x8F", 3);
    compare_units("rateless.mkv", false);
}

static void a_rounded_frame_duration_is_a_rate(void **state)
{
    static const uint32_t durations_ns[] = {33366666, 33366667, 33366700, 33366600, 33366620};
    (void)state;
    copy("h264.mkv", "rounded.mkv");
    const int64_t at = find_frame_duration("rounded.mkv");
    for (size_t i = 0; i < SCI_COUNT(durations_ns); i++) {
        const uint8_t bytes[] = {0x84, (uint8_t)(durations_ns[i] >> 24),
                                 (uint8_t)(durations_ns[i] >> 16), (uint8_t)(durations_ns[i] >> 8),
                                 (uint8_t)durations_ns[i]};
        const char *path = in_folder("rounded.mkv");
        sc_probe *probe = NULL;
        overwrite("rounded.mkv", at + 3, bytes, sizeof bytes);
        assert_int_equal(sc_probe_many(&path, 1, NULL, &probe, NULL), SC_OK);
        assert_int_equal(probe->clips[0].tracks[0].frame_rate.num, 30000);
        assert_int_equal(probe->clips[0].tracks[0].frame_rate.den, 1001);
        assert_false(probe->clips[0].flags & SC_CLIP_VARIABLE_FRAME_RATE);
        sc_probe_free(&probe);
    }
}

static void an_index_at_the_front_tells_of_what_is_there(void **state)
{
    struct stat facts;
    (void)state;
    if (stat(in_folder("long_front.mkv"), &facts) != 0)
        skip();
    for (int tenths = 6; tenths < 10; tenths++) {
        struct probing probing = {0};
        int64_t size = facts.st_size * tenths / 10;
        copy_part("long_front.mkv", "cut_front.mkv", size);
        collect(&probing, in_folder("cut_front.mkv"), false, TOO_FEW_BYTES);
        assert_int_equal(probing.status, SC_OK);
        assert_int_equal(probing.media.source, SC_SOURCE_CLUSTERS);
        assert_int_equal(probing.media.flags, SC_CLIP_TRUNCATED);
        const sci_packets *packets = &probing.media.packets;
        const sci_packet *last = &packets->items[packets->count - 1];
        assert_in_range(last->pos + last->bytes, size - 60000, size);
        release(&probing);
        if (tenths == 7)
            compare_units("cut_front.mkv", true);
    }
}

static void limits_leave_a_part(void **state)
{
    struct stat facts;
    struct probing probing = {0};
    (void)state;
    if (stat(in_folder("prores.mkv"), &facts) != 0)
        skip();
    collect(&probing, in_folder("prores.mkv"), true, 40000);
    assert_int_equal(probing.status, SC_OK);
    assert_int_equal(probing.media.source, SC_SOURCE_SAMPLED);
    assert_int_equal(probing.media.flags, SC_CLIP_LIMITED | SC_CLIP_SAMPLED);
    assert_true(probing.media.file.bytes_read <= 40000);
    release(&probing);
}

static int set_up(void **state)
{
    (void)state;
    return make_clips(clips, SCI_COUNT(clips));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_found),
        cmocka_unit_test(what_was_cut_off_is_said_so),
        cmocka_unit_test(the_walk_goes_on_behind_damage),
        cmocka_unit_test(damage_does_no_harm),
        cmocka_unit_test(limits_leave_a_part),
        cmocka_unit_test(frames_of_laces_are_counted),
        cmocka_unit_test(oddities_change_nothing),
        cmocka_unit_test(longer_identifiers_are_refused),
        cmocka_unit_test(clusters_are_used_where_a_walk_is_long),
        cmocka_unit_test(a_rate_that_is_not_told_is_found),
        cmocka_unit_test(a_rounded_frame_duration_is_a_rate),
        cmocka_unit_test(an_index_at_the_front_tells_of_what_is_there)};
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, set_up, remove_clips);
}
