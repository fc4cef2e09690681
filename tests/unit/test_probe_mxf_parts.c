/* MXF files that are long, cut off, unfinished or damaged, against a reading of every packet. */
#include "clips.h"
#include "probing.h"

#define HD    "-f lavfi -i testsrc2=s=1920x1080:r=25 "
#define SMALL "-f lavfi -i testsrc2=s=320x180:r=25 "
#define NTSC  "-f lavfi -i testsrc2=s=640x360:r=30000/1001 "
#define SOUND "-f lavfi -i sine=r=48000 -f lavfi -i sine=r=48000:f=800 -map 0 -map 1 -map 2 "

/* SMPTE ST 386: one constant size for every picture. */
#define D10                                                                                        \
    "-f lavfi -i testsrc2=s=720x576:r=25 -f lavfi -i sine=r=48000 -t 1 -c:v mpeg2video "           \
    "-intra_vlc 1 -non_linear_quant 1 -b:v 50M -minrate 50M -maxrate 50M -bufsize 2000000 -g 1 "   \
    "-rc_init_occupancy 2000000 -ps 1 -qmin 1 -qmax 12 -dc 10 -pix_fmt yuv422p -ac 4 "             \
    "-c:a pcm_s16le -f mxf_d10"

static const struct {
    const char *name, *arguments;
    bool clip_wrapped;
    bool sound_as_read;    /* else the demuxer cuts padding out of it, or joins samples at will */
    bool several_a_packet; /* samples of sound */
} clips[] = {
    {"dnxhd.mxf", HD SOUND "-t 0.4 -c:v dnxhd -b:v 120M -pix_fmt yuv422p -c:a pcm_s24le", false,
     true, false},
    {"opatom.mxf", HD "-t 0.4 -c:v dnxhd -b:v 120M -pix_fmt yuv422p -f mxf_opatom", true, true,
     false},
    {"opatom-dnxhr.mxf",
     "-f lavfi -i testsrc2=s=960x540:r=24000/1001 -t 1 -c:v dnxhd -profile:v dnxhr_lb "
     "-pix_fmt yuv422p -f mxf_opatom",
     true, true, false},
    {"pcm.mxf", "-f lavfi -i sine=r=48000 -t 5 -c:a pcm_s24le -f mxf_opatom", true, false, true},
    {"prores.mxf",
     SMALL SOUND "-t 24 -c:v prores_aw -profile:v 3 -pix_fmt yuv422p10le -c:a pcm_s24le", false,
     true, false},
    {"long-gop.mxf", NTSC SOUND "-t 24 -c:v mpeg2video -b:v 4M -bf 2 -g 12 -c:a pcm_s16le", false,
     true, false},
    {"h264.mxf",
     SMALL SOUND "-t 4 -c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p -c:a pcm_s16le", false,
     true, false},
    {"jpeg2000.mxf", SMALL "-t 1 -c:v jpeg2000", false, true, false},
    {"d10.mxf", D10, false, false, false},
};

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(clips_folder))
        return -1;
    for (size_t i = 0; i < SCI_COUNT(clips); i++)
        clip_make(clips[i].name, clips[i].arguments);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return nftw(clips_folder, clip_delete, 16, FTW_DEPTH | FTW_PHYS);
}

static bool have(const char *name)
{
    if (access(clip_path(name), R_OK) == 0)
        return true;
    print_message("left out: no ffmpeg program that can make %s\n", name);
    return false;
}

static void need(const char *name)
{
    if (!have(name))
        skip();
}

static int video_of(const AVFormatContext *format)
{
    for (unsigned i = 0; i < format->nb_streams; i++)
        if (format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO)
            return (int)i;
    return 0;
}

/* ---- the demuxer's reading, of each packet ---- */

struct scan {
    AVFormatContext *format;
    sci_packets packets;
};

static struct scan scan_all(const char *name)
{
    struct scan scan = {0};
    AVPacket *packet = av_packet_alloc();
    assert_int_equal(avformat_open_input(&scan.format, clip_path(name), NULL, NULL), 0);
    /* As stored: no parser may cut them. */
    scan.format->flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN;
    while (av_read_frame(scan.format, packet) >= 0) {
        assert_int_equal(
            sci_packets_add(&scan.packets, (sci_packet){.pos = packet->pos,
                                                        .bytes = packet->size,
                                                        .track = packet->stream_index,
                                                        .key = packet->flags & AV_PKT_FLAG_KEY}),
            SC_OK);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    return scan;
}

static void scan_free(struct scan *scan)
{
    avformat_close_input(&scan->format);
    free(scan->packets.items);
}

/* Every packet lies in the unit of its frame; units follow each other without overlap, and what is
   between two of them is no essence. */
static void compare_units(const struct probing *probing, const struct scan *scan, bool clip_wrapped)
{
    const sci_packets *units = &probing->media.packets;
    const int video = video_of(scan->format);
    size_t k = 0, pictures = 0;
    for (size_t i = 1; i < units->count; i++)
        assert_true(units->items[i].pos >= units->items[i - 1].pos + units->items[i - 1].bytes);
    for (size_t i = 0; i < scan->packets.count; i++) {
        const sci_packet *packet = &scan->packets.items[i];
        while (k + 1 < units->count && units->items[k + 1].pos <= packet->pos)
            k++;
        const sci_packet *unit = &units->items[k];
        assert_true(packet->pos >= unit->pos);
        assert_true(packet->pos + packet->bytes <= unit->pos + unit->bytes);
        if (packet->track != video)
            continue;
        assert_int_equal(k, pictures);
        if (clip_wrapped) {
            assert_int_equal(unit->pos, packet->pos);
            assert_int_equal(unit->bytes, packet->bytes);
        }
        assert_int_equal(unit->track, video);
        pictures++;
    }
    assert_int_equal(pictures, units->count);
}

static void compare_totals(const struct probing *probing, const struct scan *scan)
{
    int64_t total = 0;
    const sci_packets *units = &probing->media.packets;
    const sci_packet *last = &units->items[units->count - 1];
    for (size_t i = 0; i < units->count; i++) {
        total += units->items[i].bytes;
        assert_true(i == 0 || units->items[i].time > units->items[i - 1].time);
    }
    const sci_packet *end = &scan->packets.items[scan->packets.count - 1];
    assert_true(last->pos + last->bytes >= end->pos + end->bytes);
    assert_true(last->pos + last->bytes <= probing->media.file.size_bytes);
    assert_true(total <= probing->media.file.size_bytes);
}

static void units_hold_every_packet_of_a_reading(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        struct probing probing = {0};
        if (!have(clips[i].name))
            continue;
        collect(&probing, clip_path(clips[i].name), false, -1);
        assert_int_equal(probing.status, SC_OK);
        if (probing.media.source != SC_SOURCE_EDIT_UNITS || probing.media.flags)
            print_message("%s: %s, flags %x\n", clips[i].name, sc_source_name(probing.media.source),
                          probing.media.flags);
        assert_int_equal(probing.media.source, SC_SOURCE_EDIT_UNITS);
        assert_int_equal(probing.media.flags, 0);
        if (!clips[i].several_a_packet) {
            struct scan scan = scan_all(clips[i].name);
            compare_units(&probing, &scan, clips[i].clip_wrapped);
            compare_totals(&probing, &scan);
            scan_free(&scan);
        }
        release(&probing);
        done++;
    }
    if (!done)
        skip();
}

/* The k-th packet of each track is the k-th of the reading. */
static void compare_packets(const struct probing *probing, const struct scan *scan,
                            bool sound_as_read)
{
    enum { KEY_AND_LENGTH_MAX = 25, TRACKS_MAX = 8 };
    size_t next[TRACKS_MAX] = {0};
    for (size_t i = 0; i < scan->packets.count; i++) {
        const sci_packet *packet = &scan->packets.items[i];
        assert_in_range(packet->track, 0, TRACKS_MAX - 1);
        const sci_packet *found = next_of(&probing->media.packets, packet->track,
                                          &next[packet->track]);
        assert_in_range(found->pos, packet->pos, packet->pos + KEY_AND_LENGTH_MAX);
        if (sound_as_read || packet->track == video_of(scan->format))
            assert_int_equal(found->bytes, packet->bytes);
    }
    assert_int_equal(probing->media.packets.count, scan->packets.count);
}

static void exact_gives_every_packet_of_a_reading(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        struct probing probing = {0};
        if (clips[i].clip_wrapped || !have(clips[i].name))
            continue;
        collect(&probing, clip_path(clips[i].name), true, -1);
        struct scan scan = scan_all(clips[i].name);
        assert_int_equal(probing.status, SC_OK);
        assert_int_equal(probing.media.source, SC_SOURCE_HEADER_WALK);
        assert_int_equal(probing.media.flags, 0);
        compare_packets(&probing, &scan, clips[i].sound_as_read);
        scan_free(&scan);
        release(&probing);
        done++;
    }
    if (!done)
        skip();
}

/* Where a group of pictures starts is told by the index, also of packets that are counted. */
static void keys_are_those_of_a_decoder(void **state)
{
    static const char *const names[] = {"long-gop.mxf", "h264.mxf"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(names); i++)
        for (int exact = 0; exact < 2; exact++) {
            struct probing probing = {0};
            AVFormatContext *format = NULL;
            AVPacket *packet = av_packet_alloc();
            size_t next = 0, keys = 0;
            if (!have(names[i]))
                continue;
            collect(&probing, clip_path(names[i]), exact, -1);
            assert_int_equal(avformat_open_input(&format, clip_path(names[i]), NULL, NULL), 0);
            const int video = video_of(format);
            while (av_read_frame(format, packet) >= 0) {
                if (packet->stream_index == video) {
                    const bool key = packet->flags & AV_PKT_FLAG_KEY;
                    assert_int_equal(next_of(&probing.media.packets, video, &next)->key, key);
                    keys += key;
                }
                av_packet_unref(packet);
            }
            assert_true(keys > 0 && keys < next);
            av_packet_free(&packet);
            avformat_close_input(&format);
            release(&probing);
        }
}

/* ---- what is told of tracks without packets ---- */

static void tracks_of_a_unit_are_told_of(void **state)
{
    static const char *const names[] = {"dnxhd.mxf", "prores.mxf", "long-gop.mxf"};
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(names); i++) {
        struct probing probing = {0};
        int64_t bytes[8] = {0}, packets[8] = {0}, told = 0, units = 0;
        if (!have(names[i]))
            continue;
        collect(&probing, clip_path(names[i]), false, -1);
        struct scan scan = scan_all(names[i]);
        for (size_t k = 0; k < scan.packets.count; k++) {
            bytes[scan.packets.items[k].track] += scan.packets.items[k].bytes;
            packets[scan.packets.items[k].track]++;
        }
        for (size_t k = 0; k < probing.media.packets.count; k++)
            units += probing.media.packets.items[k].bytes;
        for (size_t t = 0; t < probing.media.track_count; t++) {
            const sci_media_track *track = &probing.media.tracks[t];
            if (!track->played)
                continue;
            assert_true(track->told.set);
            assert_int_equal(track->told.packets, packets[t]);
            assert_int_equal(track->told.source, SC_SOURCE_ESTIMATED);
            /* Five hundred frames of 1/29.97 s hold sound of two lengths; wrapper is what remains. */
            assert_true(llabs(track->told.bytes - bytes[t]) <= bytes[t] / 50);
            told += track->told.bytes;
        }
        assert_true(told <= units);
        scan_free(&scan);
        release(&probing);
        done++;
    }
    if (!done)
        skip();
}

/* ---- cut off ---- */

static void copy_start(const char *from, const char *to, size_t bytes)
{
    struct bytes all = bytes_load(from);
    assert_true(bytes <= all.size);
    all.size = bytes;
    bytes_save(&all, to);
}

/* Whatever is said of a part agrees with the whole file: all units of an index that is there, or
   the packets up to the end, and never a part that is not called one. */
static void check_part(const char *name, size_t bytes, const struct probing *whole,
                       const struct probing *walked)
{
    struct probing part = {0};
    copy_start(name, "part.mxf", bytes);
    collect(&part, clip_path("part.mxf"), false, -1);
    if (part.status != SC_OK) {
        release(&part);
        return;
    }
    const sci_packets *found = &part.media.packets;
    const bool units = part.media.source == SC_SOURCE_EDIT_UNITS;
    const sci_packets *expected = units ? &whole->media.packets : &walked->media.packets;
    if (units) {
        if (found->count != expected->count)
            print_message("%s cut to %zu: %zu of %zu units\n", name, bytes, found->count,
                          expected->count);
        assert_int_equal(found->count, expected->count);
        const sci_packet *last = &expected->items[expected->count - 1];
        if (last->pos + last->bytes > (int64_t)bytes && !(part.media.flags & SC_CLIP_TRUNCATED))
            print_message("%s cut to %zu: not called truncated\n", name, bytes);
        if (last->pos + last->bytes > (int64_t)bytes)
            assert_true(part.media.flags & SC_CLIP_TRUNCATED);
    } else if (part.media.source == SC_SOURCE_HEADER_WALK) {
        assert_true(found->count <= expected->count);
        assert_true(part.media.flags & (SC_CLIP_NO_INDEX | SC_CLIP_PARTIAL_INDEX));
    }
    if (units || part.media.source == SC_SOURCE_HEADER_WALK)
        for (size_t k = 0; k + units < found->count; k++) {
            assert_int_equal(found->items[k].pos, expected->items[k].pos);
            assert_int_equal(found->items[k].bytes, expected->items[k].bytes);
        }
    release(&part);
}

static void a_part_is_never_taken_for_the_whole(void **state)
{
    static const char *const names[] = {"dnxhd.mxf", "opatom.mxf", "prores.mxf", "long-gop.mxf",
                                        "d10.mxf"};
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(names); i++) {
        struct probing whole = {0}, walked = {0};
        if (!have(names[i]))
            continue;
        collect(&whole, clip_path(names[i]), false, -1);
        collect(&walked, clip_path(names[i]), true, -1);
        const size_t size = (size_t)whole.media.file.size_bytes;
        const size_t near_end[] = {1, 4, 16, 60, 200, 512, 1000, 5000, 12000, 50000};
        for (size_t bytes = size / 40; bytes < size; bytes += size / 23)
            check_part(names[i], bytes, &whole, &walked);
        for (size_t k = 0; k < SCI_COUNT(near_end); k++)
            if (near_end[k] < size)
                check_part(names[i], size - near_end[k], &whole, &walked);
        release(&walked);
        release(&whole);
        done++;
    }
    if (!done)
        skip();
}

static void an_index_in_the_header_tells_of_the_whole_clip(void **state)
{
    struct probing whole = {0}, part = {0};
    (void)state;
    need("dnxhd.mxf");
    collect(&whole, clip_path("dnxhd.mxf"), false, -1);
    copy_start("dnxhd.mxf", "part.mxf", (size_t)whole.media.file.size_bytes / 5);
    collect(&part, clip_path("part.mxf"), false, -1);
    assert_int_equal(part.media.source, SC_SOURCE_EDIT_UNITS);
    assert_int_equal(part.media.flags, SC_CLIP_TRUNCATED);
    assert_int_equal(part.media.packets.count, whole.media.packets.count);
    release(&part);
    release(&whole);
}

static void without_its_footer_a_file_is_walked(void **state)
{
    struct probing part = {0};
    (void)state;
    need("long-gop.mxf");
    struct bytes all = bytes_load("long-gop.mxf");
    all.size = all.size * 9 / 10;
    bytes_save(&all, "part.mxf");
    collect(&part, clip_path("part.mxf"), false, -1);
    assert_int_equal(part.status, SC_OK);
    assert_int_equal(part.media.source, SC_SOURCE_HEADER_WALK);
    assert_true(part.media.flags & SC_CLIP_NO_INDEX);
    assert_true(part.media.flags & SC_CLIP_TRUNCATED);
    release(&part);
}

/* Where the writer cannot go back, the header never learns where the essence ends. */
static void a_recording_in_progress_is_called_so(void **state)
{
    static const char *const arguments[] = {
        HD "-t 1 -c:v dnxhd -b:v 120M -pix_fmt yuv422p -seekable 0",
        SMALL "-t 4 -c:v mpeg2video -bf 2 -g 12 -seekable 0"};
    static const char *const names[] = {"open-constant.mxf", "open-variable.mxf"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(names); i++) {
        struct probing whole = {0}, part = {0};
        if (!clip_make(names[i], arguments[i]))
            skip();
        collect(&whole, clip_path(names[i]), false, -1);
        assert_int_equal(whole.status, SC_OK);
        assert_int_equal(whole.media.source, SC_SOURCE_EDIT_UNITS);
        assert_int_equal(whole.media.flags, 0);
        copy_start(names[i], "part.mxf", (size_t)whole.media.file.size_bytes * 6 / 10);
        collect(&part, clip_path("part.mxf"), false, -1);
        assert_int_equal(part.status, SC_OK);
        assert_true(part.media.flags & SC_CLIP_TRUNCATED);
        assert_true(part.media.packets.count > whole.media.packets.count / 3);
        assert_true(part.media.packets.count < whole.media.packets.count);
        release(&part);
        release(&whole);
    }
}

/* As copies look that have their full length from the start. */
static void a_copy_that_ends_in_zeros_is_called_so(void **state)
{
    struct probing whole = {0}, part = {0};
    (void)state;
    need("long-gop.mxf");
    collect(&whole, clip_path("long-gop.mxf"), true, -1);
    const sci_packets *packets = &whole.media.packets;
    const size_t half = packets->count / 2;
    struct bytes all = bytes_load("long-gop.mxf");
    size_t end = (size_t)(packets->items[half].pos + packets->items[half].bytes);
    memset(all.data + end, 0, all.size - end);
    bytes_save(&all, "zeros.mxf");
    collect(&part, clip_path("zeros.mxf"), false, -1);
    assert_int_equal(part.media.source, SC_SOURCE_HEADER_WALK);
    assert_true(part.media.flags & SC_CLIP_TRUNCATED);
    assert_int_equal(part.media.packets.count, half + 1);
    assert_true(part.media.file.bytes_read < 4 << 20);
    release(&part);
    release(&whole);
}

/* The last unit ends at the footer, which the header names although it is not there. */
static void the_last_unit_ends_where_essence_does(void **state)
{
    static const uint8_t footer[] = {0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01,
                                     0x01, 0x0d, 0x01, 0x02, 0x01, 0x01, 0x04};
    struct probing whole = {0};
    (void)state;
    need("long-gop.mxf");
    collect(&whole, clip_path("long-gop.mxf"), false, -1);
    const sci_packet *last = &whole.media.packets.items[whole.media.packets.count - 1];
    struct bytes all = bytes_load("long-gop.mxf");
    assert_true((size_t)(last->pos + last->bytes) + sizeof footer <= all.size);
    assert_memory_equal(all.data + last->pos + last->bytes, footer, sizeof footer);
    free(all.data);
    release(&whole);
}

/* ---- damage ---- */

static size_t find_last(const struct bytes *bytes, const void *key, size_t size)
{
    for (size_t at = bytes->size - size; at > 0; at--)
        if (memcmp(bytes->data + at, key, size) == 0)
            return at;
    fail_msg("not found");
    return 0;
}

static const uint8_t picture_key[] = {0x06, 0x0e, 0x2b, 0x34, 0x01, 0x02, 0x01,
                                      0x01, 0x0d, 0x01, 0x03, 0x01, 0x15};

/* What follows a place that makes no sense must not be lost in silence. */
static void an_unreadable_key_does_not_end_the_walk_in_silence(void **state)
{
    struct probing probing = {0};
    (void)state;
    need("prores.mxf");
    struct bytes bytes = bytes_load("prores.mxf");
    const size_t size = bytes.size;
    bytes.size = size / 2;
    const size_t at = find_last(&bytes, picture_key, sizeof picture_key);
    bytes.size = size;
    memset(bytes.data + at, 0x55, 8);
    bytes_save(&bytes, "spoilt.mxf");
    collect(&probing, clip_path("spoilt.mxf"), true, -1);
    struct scan scan = scan_all("spoilt.mxf");
    assert_int_equal(probing.status, SC_OK);
    assert_int_equal(probing.media.packets.count, scan.packets.count);
    assert_int_equal(probing.media.source, SC_SOURCE_SCAN);
    scan_free(&scan);
    release(&probing);
}

/* The packets of an MXF file may begin up to 64 KiB into it. */
static void a_run_in_is_passed_over(void **state)
{
    static const size_t lengths[] = {1, 100, 5000, 65000};
    struct probing whole = {0}, moved = {0};
    (void)state;
    need("dnxhd.mxf");
    collect(&whole, clip_path("dnxhd.mxf"), false, -1);
    for (size_t i = 0; i < SCI_COUNT(lengths); i++) {
        struct bytes all = bytes_load("dnxhd.mxf");
        struct bytes more = {calloc(1, all.size + lengths[i]), all.size + lengths[i]};
        assert_non_null(more.data);
        memcpy(more.data + lengths[i], all.data, all.size);
        free(all.data);
        bytes_save(&more, "run-in.mxf");
        collect(&moved, clip_path("run-in.mxf"), false, -1);
        /* The demuxer may not recognise it; then there is nothing to compare. */
        if (moved.status == SC_OK) {
            assert_int_equal(moved.media.source, SC_SOURCE_EDIT_UNITS);
            assert_int_equal(moved.media.packets.count, whole.media.packets.count);
            for (size_t k = 0; k < whole.media.packets.count; k++)
                assert_int_equal(moved.media.packets.items[k].pos,
                                 whole.media.packets.items[k].pos + (int64_t)lengths[i]);
        } else {
            print_message("run-in of %zu: not opened\n", lengths[i]);
        }
        release(&moved);
    }
    release(&whole);
}

/* Nothing but a clear end may come of whatever the bytes are, within the limits. */
static void damage_does_no_harm(void **state)
{
    static const char *const names[] = {"dnxhd.mxf",    "opatom.mxf", "prores.mxf",
                                        "long-gop.mxf", "d10.mxf",    "pcm.mxf"};
    static const uint8_t extremes[] = {0, 1, 0x7F, 0x80, 0x83, 0x88, 0xFF};
    unsigned seed = 7;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(names); i++) {
        if (!have(names[i]))
            continue;
        for (int round = 0; round < 40; round++) {
            struct probing probing = {0};
            struct bytes all = bytes_load(names[i]);
            for (int k = 0; k < 12; k++) {
                seed = seed * 1103515245u + 12345u;
                /* Mostly in the header, the index tables and the random index pack. */
                size_t range = k < 6 ? 8192 : k < 10 ? 6000 : all.size - 1;
                size_t at = (seed >> 4) % (range < all.size ? range : all.size);
                if (k >= 6 && k < 10)
                    at = all.size - 1 - at;
                all.data[at] = extremes[(seed >> 16) % sizeof extremes];
            }
            bytes_save(&all, "damaged.mxf");
            collect(&probing, clip_path("damaged.mxf"), round & 1, 64 << 20);
            if (probing.status == SC_OK)
                for (size_t k = 0; k < probing.media.packets.count; k++) {
                    const sci_packet *packet = &probing.media.packets.items[k];
                    assert_in_range(packet->track, 0, probing.media.track_count - 1);
                    assert_true(packet->bytes >= 0);
                }
            release(&probing);
        }
    }
}

/* ---- cost ---- */

static void limits_leave_a_part(void **state)
{
    struct probing probing = {0};
    (void)state;
    need("prores.mxf");
    collect(&probing, clip_path("prores.mxf"), true, 400000);
    assert_int_equal(probing.status, SC_OK);
    assert_int_equal(probing.media.source, SC_SOURCE_SAMPLED);
    assert_true(probing.media.flags & SC_CLIP_LIMITED);
    assert_true(probing.media.flags & SC_CLIP_SAMPLED);
    assert_true(probing.media.file.bytes_read <= 400000);
    release(&probing);
}

static void an_index_costs_no_media(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        struct probing probing = {0};
        if (!have(clips[i].name))
            continue;
        collect(&probing, clip_path(clips[i].name), false, -1);
        assert_true(probing.media.file.bytes_read < 700000);
        assert_true(probing.media.file.reads < 40);
        release(&probing);
        done++;
    }
    if (!done)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_hold_every_packet_of_a_reading),
        cmocka_unit_test(exact_gives_every_packet_of_a_reading),
        cmocka_unit_test(keys_are_those_of_a_decoder),
        cmocka_unit_test(tracks_of_a_unit_are_told_of),
        cmocka_unit_test(a_part_is_never_taken_for_the_whole),
        cmocka_unit_test(an_index_in_the_header_tells_of_the_whole_clip),
        cmocka_unit_test(without_its_footer_a_file_is_walked),
        cmocka_unit_test(a_recording_in_progress_is_called_so),
        cmocka_unit_test(a_copy_that_ends_in_zeros_is_called_so),
        cmocka_unit_test(the_last_unit_ends_where_essence_does),
        cmocka_unit_test(an_unreadable_key_does_not_end_the_walk_in_silence),
        cmocka_unit_test(a_run_in_is_passed_over),
        cmocka_unit_test(damage_does_no_harm),
        cmocka_unit_test(limits_leave_a_part),
        cmocka_unit_test(an_index_costs_no_media)};
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
