/* What other programs were reported to get wrong: one row a report, by the name of its project and
   its number, with the right value. */
#include "clips.h"
#include "reading.h"

#include <math.h>
#include <streamcalc/probe.h>

#define PICTURE(rate, seconds)                                                                     \
    "-f lavfi -i testsrc2=s=320x180:r=" rate ":d=" seconds ",format=yuv420p "
#define VIDEO "-f lavfi -i testsrc2=s=320x180:r=25:d=4,format=yuv420p "
#define HD    "-f lavfi -i testsrc2=s=1920x1080:r=25:d=0.4,format=yuv422p "
#define SOUND "-f lavfi -i sine=r=48000:d=4 "
#define H264  "-c:v libx264 -preset ultrafast -g 25 "
#define DV    "-f lavfi -i testsrc2=s=720x576:r=25:d=1,format=yuv420p "

/* Encoding takes the time: what can be copied from a clip made before is. */
static const struct recipe {
    const char *name, *arguments;
} recipes[] = {
    {"prores.mov", VIDEO SOUND "-c:v prores_ks -c:a pcm_s16le"},
    {"short.mov", "-i prores.mov -map 0:v -c copy -t 1"},
    {"long.mov", "-stream_loop 4 -i prores.mov -map 0:v -c copy"},
    {"eight-tracks.mov", "-i prores.mov -map 0:v -map 0:a -map 0:a -map 0:a -map 0:a -map 0:a "
                         "-map 0:a -map 0:a -map 0:a -c:v copy -c:a pcm_s24le"},
    {"timecode.mov", "-i prores.mov -map 0:v -c copy -timecode 01:00:00:00"},
    {"h264.mp4", VIDEO SOUND H264 "-bf 2 -c:a aac"},
    {"baseline.mp4", VIDEO SOUND H264 "-c:a aac"},
    {"front.mp4", "-i h264.mp4 -c copy -movflags faststart"},
    {"captions.mp4", "-i baseline.mp4 -i captions.srt -map 0:v -map 1 -c:v copy -c:s mov_text"},
    {"cover.mp4",
     "-i baseline.mp4 -f lavfi -i testsrc2=s=64x64:r=1:d=1 -map 0:v -map 1 -c:v:0 copy "
     "-c:v:1 mjpeg -disposition:v:1 attached_pic"},
    {"rotated.mp4", "-i h264.mp4 -c copy -metadata:s:v rotate=90"},
    {"edits.mp4", "-ss 1.5 -i h264.mp4 -c copy"},
    {"fragments.mp4", "-i baseline.mp4 -c copy -movflags frag_keyframe+delay_moov"},
    {"empty-moov.mp4", "-i baseline.mp4 -map 0:v -c copy -movflags frag_keyframe+empty_moov"},
    {"many-fragments.mp4", "-stream_loop 14 -i baseline.mp4 -map 0:v -c copy -movflags "
                           "frag_keyframe+empty_moov"},
    {"sidx.mp4", "-i baseline.mp4 -c copy -movflags "
                 "frag_keyframe+delay_moov+default_base_moof+global_sidx"},
    {"h264.mkv", "-i h264.mp4 -c copy"},
    {"prores.mkv", "-i prores.mov -c copy -metadata comment=good"},
    {"live.mkv", "-i baseline.mp4 -c:v copy -c:a pcm_s16le -live 1"},
    {"h264.ts", "-i h264.mp4 -c copy"},
    {"raw.hevc", VIDEO "-c:v libx265 -preset ultrafast -x265-params log-level=none"},
    {"h264.avi", "-i baseline.mp4 -c:v copy -c:a pcm_s16le"},
    {"dnxhd.mov", HD "-c:v dnxhd -b:v 120M"},
    {"dnxhd.mxf", HD SOUND "-c:v dnxhd -b:v 120M -c:a pcm_s16le -shortest"},
    {"long-gop.mxf", VIDEO SOUND "-c:v mpeg2video -b:v 8M -bf 2 -g 12 -c:a pcm_s16le"},
    {"dv.mov", DV "-c:v dvvideo"},
    {"dv.avi", DV "-c:v dvvideo"},
    {"raw.dv", "-i dv.mov -c copy"},
    {"47952.mov", PICTURE("48000/1001", "2") "-c:v prores_ks"},
    {"47952.mp4", PICTURE("48000/1001", "2") H264},
    {"47952.mkv", "-i 47952.mp4 -c copy"},
    {"1199-50.mov", PICTURE("1199/50", "2") "-c:v prores_ks"},
    {"23976.mov", PICTURE("24000/1001", "2") "-c:v prores_ks"},
    {"vfr.mp4", "-f lavfi -i testsrc2=s=320x180:r=60:d=6,format=yuv420p -vf "
                "select='lt(t\\,2)+not(mod(n\\,4))' -vsync vfr " H264},
    {"partial.mov", "-stream_loop 3 -i dnxhd.mov -map 0:v -c copy -t 1.52"},
};

/* ---- changes to clips ---- */

static void no_durations(struct bytes *bytes)
{
    bytes_put_u32(bytes, box_find(bytes, "mvhd", 0) + 24, 0);
}

/* Also what the tracks promise. */
static void no_durations_at_all(struct bytes *bytes)
{
    no_durations(bytes);
    for (int i = 0; i < 2; i++) {
        bytes_put_u32(bytes, box_find(bytes, "tkhd", i) + 28, 0);
        bytes_put_u32(bytes, box_find(bytes, "mdhd", i) + 24, 0);
    }
}

/* The claims of an encoder, ISO/IEC 14496-15: highest and mean rate. */
static void claim_little(struct bytes *bytes)
{
    size_t claims = box_find(bytes, "btrt", 0);
    bytes_put_u32(bytes, claims + 12, 1000);
    bytes_put_u32(bytes, claims + 16, 2000);
}

static void claim_much(struct bytes *bytes)
{
    size_t claims = box_find(bytes, "btrt", 0);
    bytes_put_u32(bytes, claims + 12, 848000000);
    bytes_put_u32(bytes, claims + 16, 848000000);
}

/* Of the last track: no sample is described. */
static void no_description(struct bytes *bytes)
{
    bytes_put_u32(bytes, box_find(bytes, "stsd", 1) + 12, 0);
}

/* Of the second track. */
static void no_timecode_tag(struct bytes *bytes)
{
    size_t description = box_find(bytes, "stsd", 1);
    memset(bytes->data + description + 20, 0, 4);
}

/* 8 MB of a camera's own in a box that nobody knows, at the end of the index. */
static void add_blob(struct bytes *bytes)
{
    const uint32_t size = 8 << 20;
    size_t movie = box_find(bytes, "moov", 0), end = movie + bytes_u32(bytes, movie);
    assert_int_equal(end, bytes->size);
    bytes->data = realloc(bytes->data, bytes->size + size);
    assert_non_null(bytes->data);
    memset(bytes->data + end, 0x5A, size);
    bytes->size += size;
    bytes_put_u32(bytes, end, size);
    memcpy(bytes->data + end + 4, "PANA", 4);
    bytes_put_u32(bytes, movie, bytes_u32(bytes, movie) + size);
}

/* Every compressed header: decoders refuse it. */
static void spoil_pictures(struct bytes *bytes)
{
    static const uint8_t header[] = {0, 0, 2, 0x80, 1};
    for (size_t at = 0; at + 640 < bytes->size; at++)
        if (memcmp(bytes->data + at, header, sizeof header) == 0)
            memset(bytes->data + at + 0x40, 0xA5, 400);
}

static void cut_to_a_third(struct bytes *bytes)
{
    bytes->size /= 3;
}

static void cut_off_the_index(struct bytes *bytes)
{
    bytes->size = box_find(bytes, "moov", 0) + 4;
}

/* ---- the rows ---- */

enum {
    WHOLE = 0,                /* packets and bytes of every track as a reading has them */
    CUT = 1 << 0,             /* a reading gives other bytes: cut off, or stored otherwise */
    LIKE_ITS_SOURCE = 1 << 1, /* the demand of the clip that it was made of */
};

static const struct row {
    const char *report;
    const char *from, *name;
    void (*change)(struct bytes *bytes);
    const char *format; /* or a part of the error when there is no clip */
    double duration_s;
    uint32_t flags, no_flags;
    int64_t most_bytes, most_reads; /* 0: not what this is about */
    int special;
} rows[] = {
    {"MediaInfoLib #2676: audio tracks cost no reads", "eight-tracks.mov", NULL, NULL,
     "ProRes 422 HQ 320x180 25", 4, 0, ~0u, 200000, 10, WHOLE},
    {"MediaInfoLib #2211: captions cost no reads", "captions.mp4", NULL, NULL,
     "H.264 Constrained Baseline 320x180 25", 4, 0, ~0u, 100000, 8, WHOLE},
    {"MediaInfoLib #1940: a metadata blob is skipped by its size", "prores.mov", "blob.mov",
     add_blob, "ProRes 422 HQ 320x180 25", 4, 0, ~0u, 200000, 12, LIKE_ITS_SOURCE},
    {"mpc-hc #2749: two reads a fragment, and the whole length", "many-fragments.mp4", NULL, NULL,
     "H.264 Constrained Baseline 320x180 25", 60, 0, SC_CLIP_TRUNCATED, 0, 140, WHOLE},
    {"rust-ac-ffmpeg #84: Matroska says no rate", "h264.mkv", NULL, NULL, "H.264 Main 320x180 25",
     4, 0, SC_CLIP_TRUNCATED, 0, 0, WHOLE},
    {"videoduplicatefinder #455: MPEG-TS says no rate", "h264.ts", NULL, NULL,
     "H.264 Main 320x180 25", 4, 0, SC_CLIP_TRUNCATED, 0, 0, WHOLE},
    {"Tdarr_Plugins #73: neither rate nor duration in the header", "live.mkv", NULL, NULL,
     "H.264 Constrained Baseline 320x180 25", 4, 0, SC_CLIP_TRUNCATED, 0, 0, WHOLE},
    {"MediaInfoLib #1246: a nominal rate above what is stored", "h264.mp4", "much.mp4", claim_much,
     "H.264 Main 320x180 25", 4, 0, ~0u, 0, 0, LIKE_ITS_SOURCE},
    {"MediaInfoLib #548: a highest rate below the mean", "h264.mp4", "little.mp4", claim_little,
     "H.264 Main 320x180 25", 4, 0, ~0u, 0, 0, LIKE_ITS_SOURCE},
    {"MediaInfoLib #2462: fragments have a rate", "fragments.mp4", NULL, NULL,
     "H.264 Constrained Baseline 320x180 25", 4, 0, SC_CLIP_TRUNCATED, 0, 0, WHOLE},
    {"gpac #253: mvhd duration 0", "h264.mp4", "mvhd-0.mp4", no_durations, "H.264 Main 320x180 25",
     4, 0, ~0u, 0, 0, LIKE_ITS_SOURCE},
    {"gpac #253: no duration in any header", "h264.mp4", "no-durations.mp4", no_durations_at_all,
     "H.264 Main 320x180 25", 4, 0, ~0u, 0, 0, LIKE_ITS_SOURCE},
    {"mp4box.js #504: fragments with mvhd duration 0", "empty-moov.mp4", "mvhd-0-fragments.mp4",
     no_durations, "H.264 Constrained Baseline 320x180 25", 4, 0, SC_CLIP_TRUNCATED, 0, 0,
     LIKE_ITS_SOURCE},
    {"OpenRV #1189: 48000 is no frame rate", "long-gop.mxf", NULL, NULL, "MPEG-2 Main 320x180 25",
     4, 0, SC_CLIP_TRUNCATED, 0, 0, WHOLE},
    {"MediaInfo #365: DV takes 28.8 Mb/s, in QuickTime", "dv.mov", NULL, NULL, "DV 720x576 25", 1,
     0, SC_CLIP_TRUNCATED, 0, 0, WHOLE},
    {"MediaInfo #365: in AVI", "dv.avi", NULL, NULL, "DV 720x576 25", 1, 0, SC_CLIP_TRUNCATED, 0, 0,
     WHOLE},
    {"MediaInfo #365: and by itself", "raw.dv", NULL, NULL, "DV 720x576 25", 1, 0,
     SC_CLIP_TRUNCATED, 0, 0, WHOLE},
    {"ffms2 #384: a picture that no decoder takes, in MXF", "dnxhd.mxf", "spoilt.mxf",
     spoil_pictures, "DNxHD 120 1920x108", 0.4, 0, SC_CLIP_TRUNCATED, 0, 0, LIKE_ITS_SOURCE},
    {"ffms2 #75: and in QuickTime", "dnxhd.mov", "spoilt.mov", spoil_pictures, "1920x1080 25", 0.4,
     0, SC_CLIP_TRUNCATED, 0, 0, LIKE_ITS_SOURCE},
    {"opencast #3694: cover art is no video", "cover.mp4", NULL, NULL, "H.264", 4, 0, ~0u, 0, 0,
     WHOLE},
    {"Bento4 #245: a data track without a description", "timecode.mov", "bare-track.mov",
     no_description, "ProRes 422 HQ 320x180 25", 4, 0, ~0u, 0, 0, LIKE_ITS_SOURCE},
    {"Bento4 #245: a track of no known kind", "timecode.mov", "odd-track.mov", no_timecode_tag,
     "ProRes 422 HQ 320x180 25", 4, 0, ~0u, 0, 0, LIKE_ITS_SOURCE},
    {"shaka-streamer #127: side data of a phone", "rotated.mp4", NULL, NULL,
     "H.264 Main 320x180 25", 4, 0, ~0u, 0, 0, WHOLE},
    {"FFMpegCore #496: moov atom not found", "prores.mov", "no-moov.mov", cut_off_the_index,
     "unfinished recording or truncated", 0, 0, 0, 0, 0, CUT},
    {"untrunc #17: a copy that stopped, its index in front", "front.mp4", "cut-front.mp4",
     cut_to_a_third, "H.264 Main 320x180 25", 4, SC_CLIP_TRUNCATED, 0, 100000, 8,
     CUT | LIKE_ITS_SOURCE},
    {"gpac #3544: 47.952, QuickTime", "47952.mov", NULL, NULL, "ProRes 422 HQ 320x180 47.952",
     96 * 1001 / 48000., 0, ~0u, 0, 0, WHOLE},
    {"gpac #3544: 47.952, MP4", "47952.mp4", NULL, NULL, "320x180 47.952", 96 * 1001 / 48000., 0,
     ~0u, 0, 0, WHOLE},
    {"gpac #3544: 47.952, Matroska's milliseconds", "47952.mkv", NULL, NULL, "320x180 47.952",
     96 * 1001 / 48000., 0, SC_CLIP_VARIABLE_FRAME_RATE, 0, 0, WHOLE},
    {"OpenPype #3014: 1199/50 is not 24000/1001", "1199-50.mov", NULL, NULL,
     "ProRes 422 HQ 320x180 23.98", 48 * 50 / 1199., 0, ~0u, 0, 0, WHOLE},
    {"OpenPype #3014: 24000/1001 is", "23976.mov", NULL, NULL, "ProRes 422 HQ 320x180 23.976",
     48 * 1001 / 24000., 0, ~0u, 0, 0, WHOLE},
    {"FFBitrateViewer #31: no times in raw HEVC", "raw.hevc", NULL, NULL, "320x180 25", 4, 0,
     SC_CLIP_VARIABLE_FRAME_RATE, 0, 0, WHOLE},
    {"edit lists: what is stored counts once", "edits.mp4", NULL, NULL, "H.264 Main 320x180 25", -1,
     0, 0, 0, 0, WHOLE},
    {"sidx: the index holds the first fragment only", "sidx.mp4", NULL, NULL,
     "H.264 Constrained Baseline 320x180 25", 4, 0, SC_CLIP_TRUNCATED, 0, 0, WHOLE},
    {"AVI: positions of the index are those of chunks", "h264.avi", NULL, NULL, "H.264", 4, 0,
     SC_CLIP_TRUNCATED, 0, 0, WHOLE},
    {"Matroska without Cues is not read again and again", "h264.mkv", "cut.mkv", cut_to_a_third,
     "H.264 Main 320x180 25", -1, SC_CLIP_TRUNCATED, 0, 0, 0, WHOLE},
    {"taglib PR #1336: Matroska is not read through", "prores.mkv", NULL, NULL,
     "ProRes 422 HQ 320x180 25", 4, 0, SC_CLIP_NO_INDEX | SC_CLIP_TRUNCATED, 200000, 0, CUT},
};

static sc_probe *probe_path(const char *path)
{
    sc_probe *probe = NULL;
    sc_probe_many(&path, 1, NULL, &probe, NULL);
    assert_non_null(probe);
    assert_int_equal(probe->clip_count, 1);
    return probe;
}

static int64_t demand_of(const char *name)
{
    sc_probe *probe = probe_path(clip_path(name));
    int64_t demand = probe->clips[0].demand_bits_per_s;
    sc_probe_free(&probe);
    return demand;
}

static int failures;

#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            failures++;                                                                            \
            print_message("FAILED %s: (%s) ", row->report, #condition);                            \
            print_message(__VA_ARGS__);                                                            \
            print_message("\n");                                                                   \
        }                                                                                          \
    } while (0)

static void compare_tracks(const struct row *row, const sc_clip *clip)
{
    const struct reading reading = read_whole_file(clip->path);
    for (size_t i = 0; i < clip->track_count && i < reading.tracks; i++) {
        const sc_track *track = &clip->tracks[i];
        if (!track->played)
            continue;
        const int64_t off = llabs(track->bytes - reading.bytes[i]);
        const bool near = track->source == SC_SOURCE_ESTIMATED && off * 100 < reading.bytes[i];
        /* Uncompressed sound of an index is kept in chunks that a reader may join or split. */
        const bool kept = clip->source != SC_SOURCE_FILE_INDEX ||
                          strncmp(track->codec, "pcm_", 4) != 0;
        EXPECT((off == 0 || near) && (!kept || track->packets == reading.packets[i]),
               "track %zu: %lld bytes in %lld packets, read %lld in %lld", i,
               (long long)track->bytes, (long long)track->packets, (long long)reading.bytes[i],
               (long long)reading.packets[i]);
        EXPECT(track->bits_per_s > 0, "track %zu has no rate", i);
    }
}

static void compare_demand(const struct row *row, const sc_clip *clip)
{
    double right = (double)demand_of(row->from);
    EXPECT(fabs((double)clip->demand_bits_per_s / right - 1) < 0.005, "demand %lld, right %.0f",
           (long long)clip->demand_bits_per_s, right);
}

static void check_row(const struct row *row, const sc_clip *clip)
{
    char format[SC_TEXT_MAX];
    sc_clip_format(clip, format, sizeof format);
    if (clip->error.status != SC_OK) {
        EXPECT(strstr(clip->error.message, row->format), "%s", clip->error.message);
        return;
    }
    EXPECT(strstr(format, row->format), "%s", format);
    EXPECT(row->duration_s < 0 || fabs(clip->duration_s - row->duration_s) < 1e-6, "%.6f s",
           clip->duration_s);
    EXPECT((clip->flags & row->flags) == row->flags && !(clip->flags & row->no_flags), "flags %x",
           clip->flags);
    EXPECT(!row->most_bytes || clip->bytes_read <= row->most_bytes, "%lld bytes read",
           (long long)clip->bytes_read);
    EXPECT(!row->most_reads || clip->reads <= row->most_reads, "%lld reads",
           (long long)clip->reads);
    EXPECT(clip->bytes_read <= clip->size_bytes * 2 + 65536, "%lld bytes read of %lld",
           (long long)clip->bytes_read, (long long)clip->size_bytes);
    if (row->special & LIKE_ITS_SOURCE)
        compare_demand(row, clip);
    if (!(row->special & CUT))
        compare_tracks(row, clip);
}

static bool make_row(const struct row *row)
{
    if (access(clip_path(row->from), R_OK) != 0) {
        print_message("left out: %s: no ffmpeg program that can make %s\n", row->report, row->from);
        return false;
    }
    if (row->change) {
        struct bytes bytes = bytes_load(row->from);
        row->change(&bytes);
        bytes_save(&bytes, row->name);
    }
    return true;
}

static void every_report_has_its_right_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!make_row(&rows[i]))
            continue;
        sc_probe *probe = probe_path(clip_path(rows[i].name ? rows[i].name : rows[i].from));
        check_row(&rows[i], &probe->clips[0]);
        sc_probe_free(&probe);
    }
    assert_int_equal(failures, 0);
}

/* ---- what takes more than one clip or figure ---- */

static void need(const char *name)
{
    if (access(clip_path(name), R_OK) != 0) {
        print_message("skipped: no ffmpeg program that can make %s\n", name);
        skip();
    }
}

/* MediaInfo #655, MediaInfoLib PR #1609: large files took longer. */
static void reads_do_not_grow_with_the_media(void **state)
{
    (void)state;
    need("long.mov");
    sc_probe *brief = probe_path(clip_path("short.mov")),
             *whole = probe_path(clip_path("long.mov"));
    assert_true(whole->clips[0].size_bytes > 15 * brief->clips[0].size_bytes);
    assert_true(whole->clips[0].reads <= brief->clips[0].reads + 1);
    sc_probe_free(&brief);
    sc_probe_free(&whole);
}

/* OpenPype #3014, gpac #3544: any rational is a rate, and none is taken for its neighbour. Matroska
   counts nanoseconds. */
static void rates_are_exact(void **state)
{
    static const struct {
        const char *name;
        sc_rational rate;
    } cases[] = {{"47952.mov", {48000, 1001}},
                 {"47952.mp4", {48000, 1001}},
                 {"47952.mkv", {48000, 1001}},
                 {"1199-50.mov", {1199, 50}},
                 {"23976.mov", {24000, 1001}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        need(cases[i].name);
        sc_probe *probe = probe_path(clip_path(cases[i].name));
        double rate = sc_rational_value(probe->clips[0].tracks[0].frame_rate);
        assert_true(fabs(rate / sc_rational_value(cases[i].rate) - 1) < 1e-6);
        sc_probe_free(&probe);
    }
}

/* MediaInfo #365. */
static void dv_takes_all_its_blocks(void **state)
{
    static const char *const names[] = {"dv.mov", "raw.dv"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        need(names[i]);
        assert_int_equal(demand_of(names[i]), 28800000);
    }
    need("dv.avi"); /* a chunk has a header of 8 bytes */
    assert_true(demand_of("dv.avi") >= 28800000 && demand_of("dv.avi") < 28802000);
}

/* bbc/bmx #28: sound, KLV and fill count; and the same essence by itself takes less. */
static void a_wrapper_counts(void **state)
{
    (void)state;
    need("dnxhd.mxf");
    sc_probe *probe = probe_path(clip_path("dnxhd.mxf"));
    const sc_clip *clip = &probe->clips[0];
    int64_t essence = 0;
    for (size_t i = 0; i < clip->track_count; i++)
        essence += clip->tracks[i].played ? clip->tracks[i].bits_per_s : 0;
    assert_true(clip->demand_bits_per_s > essence);
    assert_true(clip->demand_bits_per_s < essence * 102 / 100);
    assert_int_equal(demand_of("dnxhd.mov"), 606208LL * 8 * 25);
    sc_probe_free(&probe);
    need("h264.ts");
    assert_true(demand_of("h264.ts") > demand_of("h264.mp4"));
}

/* Bytes of the busiest half-open second of video that starts at a packet. */
static int64_t busiest_second(const char *path)
{
    static int64_t times[4096], sizes[4096];
    AVFormatContext *format = NULL;
    AVPacket *packet = av_packet_alloc();
    int64_t busiest = 0;
    int count = 0;
    assert_int_equal(avformat_open_input(&format, path, NULL, NULL), 0);
    const AVRational unit = format->streams[0]->time_base;
    for (; count < 4096 && av_read_frame(format, packet) >= 0; av_packet_unref(packet)) {
        times[count] = packet->dts * unit.num;
        sizes[count++] = packet->size;
    }
    for (int i = 0; i < count; i++) {
        int64_t sum = 0;
        for (int k = i; k < count && times[k] - times[i] < unit.den; k++)
            sum += sizes[k];
        busiest = sum > busiest ? sum : busiest;
    }
    av_packet_free(&packet);
    avformat_close_input(&format);
    return busiest;
}

/* bitrate-viewer #9, VPF #230, Kinovea #154: seconds are seconds also where frames come and go. */
static void windows_are_windows_of_time(void **state)
{
    (void)state;
    need("vfr.mp4");
    sc_probe *probe = probe_path(clip_path("vfr.mp4"));
    const sc_clip *clip = &probe->clips[0];
    assert_int_equal(clip->flags, SC_CLIP_VARIABLE_FRAME_RATE);
    assert_true(fabs(clip->duration_s - 6) < 0.1);
    assert_true(llabs(clip->peak_1s_bits_per_s - 8 * busiest_second(clip->path)) < 1000);
    sc_probe_free(&probe);
}

/* FFBitrateViewer #33 and #46, ffmpeg-bitrate-stats #4: a last part of a second is no second of its
   own, and a frame on the border counts once. */
static void an_even_clip_has_an_even_rate(void **state)
{
    const int64_t even = 606208LL * 8 * 25;
    (void)state;
    need("partial.mov");
    sc_probe *probe = probe_path(clip_path("partial.mov"));
    assert_int_equal(probe->clips[0].demand_bits_per_s, even);
    assert_int_equal(probe->clips[0].peak_1s_bits_per_s, even);
    sc_probe_free(&probe);
}

/* opencast #3694, python-video-converter #25, amule #1075, simonh10/ffprobe #1. */
static void pictures_are_no_programme(void **state)
{
    (void)state;
    need("cover.mp4");
    sc_probe *probe = probe_path(clip_path("cover.mp4"));
    assert_int_equal(probe->clips[0].track_count, 2);
    assert_int_equal(probe->clips[0].tracks[1].kind, SC_TRACK_PICTURE);
    assert_false(probe->clips[0].tracks[1].played);
    sc_probe_free(&probe);
    need("captions.mp4");
    probe = probe_path(clip_path("captions.mp4"));
    assert_int_equal(probe->clips[0].tracks[1].kind, SC_TRACK_SUBTITLE);
    assert_false(probe->clips[0].tracks[1].played);
    sc_probe_free(&probe);
}

/* SlowMovie #111: what macOS and failed copies leave beside the clips. */
static void leftovers_are_no_clips(void **state)
{
    (void)state;
    need("h264.mp4");
    assert_int_equal(mkdir(clip_path("card"), 0755), 0);
    struct bytes clip = bytes_load("h264.mp4"), fork = bytes_load("h264.mp4"), none = {0};
    fork.size = 4096;
    memcpy(fork.data, "\0\5\26\7\0\2\0\0Mac OS X        ", 24);
    bytes_save(&clip, "card/name.mp4");
    bytes_save(&fork, "card/._name.mp4");
    bytes_save(&none, "card/empty.mp4");
    sc_probe *probe = probe_path(clip_path("card"));
    assert_int_equal(probe->error.status, SC_OK);
    assert_non_null(strstr(probe->clips[0].path, "/name.mp4"));
    assert_int_equal(probe->finding_count, 1);
    assert_string_equal(probe->findings[0].code, "empty-files");
    sc_probe_free(&probe);
}

static int make_clips(void **state)
{
    (void)state;
    if (!mkdtemp(clips_folder))
        return -1;
    struct bytes captions = {(uint8_t *)strdup("1\n00:00:00,000 --> 00:00:03,000\nHello\n\n"), 40};
    captions.size = strlen((const char *)captions.data);
    bytes_save(&captions, "captions.srt");
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; i++)
        clip_make(recipes[i].name, recipes[i].arguments);
    return 0;
}

static int delete_clips(void **state)
{
    (void)state;
    return nftw(clips_folder, clip_delete, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_report_has_its_right_value),
        cmocka_unit_test(reads_do_not_grow_with_the_media),
        cmocka_unit_test(rates_are_exact),
        cmocka_unit_test(dv_takes_all_its_blocks),
        cmocka_unit_test(a_wrapper_counts),
        cmocka_unit_test(windows_are_windows_of_time),
        cmocka_unit_test(an_even_clip_has_an_even_rate),
        cmocka_unit_test(pictures_are_no_programme),
        cmocka_unit_test(leftovers_are_no_clips),
    };
    sc_probe_quiet_ffmpeg();
    return cmocka_run_group_tests(tests, make_clips, delete_clips);
}
