/* Files and directories of every kind, made on the spot; those that need the ffmpeg program are
   skipped without it. */
#include "test.h"

#include "reading.h"

#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/probe.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char folder[] = "/tmp/sc-probe-XXXXXX";
static bool have_ffmpeg;

#define VIDEO "-f lavfi -i testsrc2=s=320x180:r=25:d=4 "
#define NTSC  "-f lavfi -i testsrc2=s=320x180:r=30000/1001:d=4 "
#define SOUND "-f lavfi -i sine=r=48000:d=4 "

/* Encoding takes the time: what can be copied from a clip made before is. */
static const struct {
    const char *name, *arguments;
} recipes[] = {
    {"prores.mov", VIDEO SOUND "-c:v prores_ks -profile:v 3 -c:a pcm_s24le -timecode 01:00:00:00"},
    {"front.mov", "-i prores.mov -map 0:v -map 0:a -c copy -movflags faststart"},
    {"dnxhd.mov", "-f lavfi -i testsrc2=s=1920x1080:r=25:d=0.2 -c:v dnxhd -b:v 185M "
                  "-pix_fmt yuv422p10le"},
    {"dnxhr.mov", "-f lavfi -i testsrc2=s=960x540:r=24000/1001:d=1 -c:v dnxhd -profile:v dnxhr_sq "
                  "-pix_fmt yuv422p"},
    {"h264.mp4",
     NTSC SOUND "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 2 -profile:v main -c:a aac"},
    {"hevc.mp4", VIDEO SOUND "-c:v libx265 -preset ultrafast -x265-params log-level=none "
                             "-pix_fmt yuv420p10le -tag:v hvc1 -c:a aac"},
    {"fragments.mp4", VIDEO SOUND "-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac "
                                  "-movflags frag_keyframe+delay_moov"},
    {"sidx.mp4", "-i fragments.mp4 -c copy "
                 "-movflags frag_keyframe+delay_moov+default_base_moof+global_sidx"},
    {"h264.mkv", "-i h264.mp4 -c copy"},
    {"h264.ts", "-i h264.mp4 -c copy"},
    {"mpeg2.mxf", VIDEO SOUND "-c:v mpeg2video -b:v 8M -c:a pcm_s16le"},
    {"dnxhd.mxf", "-f lavfi -i testsrc2=s=1920x1080:r=25:d=0.2 " SOUND
                  "-c:v dnxhd -b:v 120M -pix_fmt yuv422p -c:a pcm_s16le -shortest"},
    {"mpeg4.avi", VIDEO SOUND "-c:v mpeg4 -b:v 2M -c:a pcm_s16le"},
    {"raw.h264", VIDEO "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"},
    {"vfr.mp4", VIDEO "-vf select='not(mod(n\\,7)*mod(n\\,5))' -vsync vfr -c:v libx264 -preset "
                      "ultrafast -pix_fmt yuv420p"},
    {"sound.wav", SOUND "-c:a pcm_s24le"},
    {"cover.m4a", SOUND "-f lavfi -i testsrc2=s=64x64:r=1:d=1 -map 0 -map 1 -c:a aac -c:v mjpeg "
                        "-disposition:v attached_pic"},
};

static const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void copy_part(const char *from, const char *to, double share)
{
    FILE *in = fopen(in_folder(from), "r"), *out = fopen(in_folder(to), "w");
    struct stat facts;
    assert_non_null(in);
    assert_non_null(out);
    assert_int_equal(fstat(fileno(in), &facts), 0);
    const size_t bytes = (size_t)((double)facts.st_size * share);
    char *part = malloc(bytes + 1);
    assert_non_null(part);
    assert_int_equal(fread(part, 1, bytes, in), bytes);
    assert_int_equal(fwrite(part, 1, bytes, out), bytes);
    free(part);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static int make_clips(void **state)
{
    char command[1024];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    have_ffmpeg = system("ffmpeg -version >/dev/null 2>&1") == 0;
    for (size_t i = 0; have_ffmpeg && i < sizeof recipes / sizeof recipes[0]; i++) {
        snprintf(command, sizeof command,
                 "cd %s && { ffmpeg -nostdin -v quiet -y %s -threads 2 '%s' || rm -f '%s'; }",
                 folder, recipes[i].arguments, recipes[i].name, recipes[i].name);
        if (system(command) != 0)
            return -1;
    }
    return 0;
}

static int delete_one(const char *path, const struct stat *facts, int type, struct FTW *walk)
{
    (void)facts;
    (void)type;
    (void)walk;
    return remove(path);
}

static int delete_clips(void **state)
{
    (void)state;
    return nftw(folder, delete_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Skips the test when this ffmpeg could not make the clip. */
static void need(const char *name)
{
    if (access(in_folder(name), R_OK) != 0) {
        print_message("skipped: no ffmpeg program that can make %s\n", name);
        skip();
    }
}

static sc_probe *probe_one(const char *path, const sc_probe_params *params, sc_status expected)
{
    sc_probe *probe = NULL;
    sc_error error = {0};
    sc_status status = sc_probe_many(&path, 1, params, &probe, &error);
    if (status != expected)
        print_message("%s: %s\n", path, error.message);
    assert_int_equal(status, expected);
    assert_int_equal(error.status, expected);
    assert_non_null(probe);
    return probe;
}

static const sc_clip *only_clip(const sc_probe *probe)
{
    assert_int_equal(probe->clip_count, 1);
    return &probe->clips[0];
}

static bool has_finding(const sc_finding *findings, size_t count, const char *code)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(findings[i].code, code) == 0)
            return true;
    return false;
}

static int64_t total_bytes(const sc_clip *clip)
{
    int64_t total = 0;
    for (size_t i = 0; i < clip->trace.count; i++)
        total += clip->trace.bytes[i];
    return total;
}

/* ---- containers ---- */

static const struct {
    const char *name, *format, *container;
    sc_source source;
    uint32_t flags;
} containers[] = {
    {"prores.mov", "ProRes 422 HQ 320x180 25", "mov", SC_SOURCE_FILE_INDEX, 0},
    {"front.mov", "ProRes 422 HQ 320x180 25", "mov", SC_SOURCE_FILE_INDEX, 0},
    {"dnxhd.mov", "DNxHD 185x 1920x1080 25", "mov", SC_SOURCE_FILE_INDEX, 0},
    {"dnxhr.mov", "DNxHR SQ 960x540 23.976", "mov", SC_SOURCE_FILE_INDEX, 0},
    {"h264.mp4", "H.264 Main 320x180 29.97", "mov", SC_SOURCE_FILE_INDEX, 0},
    {"hevc.mp4", "HEVC Main 10 320x180 25", "mov", SC_SOURCE_FILE_INDEX, 0},
    {"fragments.mp4", "H.264 Constrained Baseline 320x180 25", "mov", SC_SOURCE_FILE_INDEX, 0},
    {"sidx.mp4", "H.264 Constrained Baseline 320x180 25", "mov", SC_SOURCE_FILE_INDEX, 0},
    {"h264.mkv", "H.264 Main 320x180 29.97", "matroska", SC_SOURCE_HEADER_WALK, 0},
    {"h264.ts", "H.264 Main 320x180 29.97", "mpegts", SC_SOURCE_SCAN, SC_CLIP_NO_INDEX},
    {"mpeg2.mxf", "MPEG-2 Main 320x180 25", "mxf", SC_SOURCE_EDIT_UNITS, 0},
    {"dnxhd.mxf", "DNxHD 120 1920x1080 25", "mxf", SC_SOURCE_EDIT_UNITS, 0},
    {"mpeg4.avi", "MPEG-4 Visual Simple Profile 320x180 25", "avi", SC_SOURCE_FILE_INDEX, 0},
    {"raw.h264", "H.264 Constrained Baseline 320x180 25", "h264", SC_SOURCE_SCAN, SC_CLIP_NO_INDEX},
    {"sound.wav", "PCM s24le 48000 Hz 1 ch", "wav", SC_SOURCE_HEADER_CLAIM, SC_CLIP_NO_VIDEO},
};

/* Uncompressed sound of an index is kept in chunks that a reader may join or split. */
static bool packets_are_kept(const sc_clip *clip, const sc_track *track)
{
    const bool computed = clip->source == SC_SOURCE_FILE_INDEX ||
                          clip->source == SC_SOURCE_HEADER_CLAIM;
    return !computed || strncmp(track->codec, "pcm_", 4) != 0;
}

static void compare_with_reading(const sc_clip *clip)
{
    const struct reading reading = read_whole_file(clip->path);
    assert_true(reading.read);
    assert_int_equal(clip->track_count, reading.tracks);
    for (size_t i = 0; i < clip->track_count; i++) {
        if (!clip->tracks[i].played)
            continue;
        if (packets_are_kept(clip, &clip->tracks[i]))
            assert_int_equal(clip->tracks[i].packets, reading.packets[i]);
        if (clip->tracks[i].source == SC_SOURCE_ESTIMATED) {
            assert_true(llabs(clip->tracks[i].bytes - reading.bytes[i]) * 100 < reading.bytes[i]);
            continue;
        }
        assert_int_equal(clip->tracks[i].bytes, reading.bytes[i]);
        assert_int_equal(clip->tracks[i].source, clip->source);
    }
    /* Parsers cut packets without a position out of raw and transport streams. */
    if (!reading.unplaced && clip->source != SC_SOURCE_EDIT_UNITS)
        assert_int_equal(total_bytes(clip), reading.last_end - reading.first_pos);
    assert_true(total_bytes(clip) >= reading.last_end - reading.first_pos);
    assert_true(total_bytes(clip) <= clip->size_bytes);
}

static void every_container_agrees_with_a_full_reading(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < sizeof containers / sizeof containers[0]; i++) {
        const char *path = in_folder(containers[i].name);
        char format[SC_TEXT_MAX];
        if (access(path, R_OK) != 0) {
            print_message("left out: no ffmpeg program that can make %s\n", containers[i].name);
            continue;
        }
        sc_probe *probe = probe_one(path, NULL, SC_OK);
        const sc_clip *clip = only_clip(probe);
        sc_clip_format(clip, format, sizeof format);
        assert_string_equal(format, containers[i].format);
        assert_non_null(strstr(clip->container, containers[i].container));
        assert_int_equal(clip->source, containers[i].source);
        assert_int_equal(clip->flags, containers[i].flags);
        assert_int_equal(clip->demand_bits_per_s,
                         llround((double)total_bytes(clip) * 8 / clip->duration_s));
        compare_with_reading(clip);
        sc_probe_free(&probe);
        done++;
    }
    if (!done)
        skip();
}

static void an_index_costs_no_media(void **state)
{
    (void)state;
    need("prores.mov");
    sc_probe *probe = probe_one(in_folder("prores.mov"), NULL, SC_OK);
    const sc_clip *clip = only_clip(probe);
    assert_true(clip->size_bytes > 1000000);
    assert_true(clip->bytes_read < 150000);
    assert_true(clip->reads < 8);
    assert_int_equal(clip->track_count, 3);
    assert_int_equal(clip->tracks[0].packets, 100);
    assert_true(fabs(clip->duration_s - 4) < 1e-9);
    assert_int_equal(clip->tracks[1].kind, SC_TRACK_AUDIO);
    assert_int_equal(clip->tracks[1].bytes, 4 * 48000 * 3);
    assert_int_equal(clip->tracks[1].sample_rate_hz, 48000);
    assert_int_equal(clip->tracks[1].channels, 1);
    assert_int_equal(clip->tracks[2].kind, SC_TRACK_TIMECODE);
    assert_false(clip->tracks[2].played);
    assert_int_equal(clip->trace.count, 100);
    sc_probe_free(&probe);
}

static void frames_are_kept_where_they_are_asked_for(void **state)
{
    (void)state;
    need("h264.mp4");
    const char *path = in_folder("h264.mp4");
    sc_probe *probe = probe_one(path, NULL, SC_OK);
    assert_int_equal(probe->clips[0].frames.count, 0);
    sc_probe_free(&probe);
    probe = probe_one(path, &(sc_probe_params){.frames = true}, SC_OK);
    const sc_clip *clip = &probe->clips[0];
    const sc_frames *frames = &clip->frames;
    int64_t bytes = 0, largest = 0, of_trace = 0;
    assert_in_range(frames->count, 120, 125); /* sound may go on behind the last picture */
    for (size_t k = 0; k < frames->count; k++) {
        assert_true(k >= 120 || fabs(frames->due_s[k] - (double)k * 1001 / 30000) < 1e-6);
        bytes += frames->bytes[k];
        largest = frames->bytes[k] > largest ? frames->bytes[k] : largest;
    }
    for (size_t i = 0; i < clip->trace.count; i++)
        of_trace += clip->trace.bytes[i];
    assert_int_equal(bytes, of_trace);
    assert_int_equal(largest, clip->largest_frame_bytes);
    assert_true(frames->duration_s >= clip->duration_s - 1e-6 && frames->duration_s < 4.3);
    sc_probe_free(&probe);
}

static void variable_frame_rates_are_flagged(void **state)
{
    (void)state;
    need("vfr.mp4");
    sc_probe *probe = probe_one(in_folder("vfr.mp4"), NULL, SC_OK);
    assert_int_equal(only_clip(probe)->flags, SC_CLIP_VARIABLE_FRAME_RATE);
    assert_int_equal(only_clip(probe)->source, SC_SOURCE_FILE_INDEX);
    sc_probe_free(&probe);
}

static void cover_art_is_not_played(void **state)
{
    (void)state;
    need("cover.m4a");
    sc_probe *probe = probe_one(in_folder("cover.m4a"), NULL, SC_OK);
    const sc_clip *clip = only_clip(probe);
    assert_int_equal(clip->flags, SC_CLIP_NO_VIDEO);
    assert_int_equal(clip->track_count, 2);
    assert_int_equal(clip->tracks[0].kind, SC_TRACK_AUDIO);
    assert_int_equal(clip->tracks[1].kind, SC_TRACK_PICTURE);
    assert_false(clip->tracks[1].played);
    sc_probe_free(&probe);
}

/* ---- broken ---- */

static void a_cut_copy_keeps_the_rate_of_its_index(void **state)
{
    (void)state;
    need("front.mov");
    copy_part("front.mov", "cut-front.mov", 0.5);
    sc_probe *whole = probe_one(in_folder("front.mov"), NULL, SC_OK);
    sc_probe *cut = probe_one(in_folder("cut-front.mov"), NULL, SC_OK);
    assert_int_equal(only_clip(cut)->flags, SC_CLIP_TRUNCATED);
    assert_true(has_finding(only_clip(cut)->findings, only_clip(cut)->finding_count, "truncated"));
    assert_int_equal(only_clip(cut)->demand_bits_per_s, only_clip(whole)->demand_bits_per_s);
    sc_probe_free(&whole);
    sc_probe_free(&cut);
}

static void a_recording_without_its_index_is_called_so(void **state)
{
    (void)state;
    need("prores.mov");
    copy_part("prores.mov", "cut.mov", 0.5);
    sc_probe *probe = probe_one(in_folder("cut.mov"), NULL, SC_INVALID_DATA);
    assert_non_null(strstr(only_clip(probe)->error.message, "no index (moov)"));
    assert_string_equal(only_clip(probe)->error.path, in_folder("cut.mov"));
    sc_probe_free(&probe);
}

/* Runs the probe with standard error in a file, and returns what was written there. */
static long stderr_bytes_of(const char *path, uint32_t *flags)
{
    sc_probe *probe = NULL;
    struct stat facts;
    int saved = dup(2), file = open(in_folder("stderr"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(saved >= 0 && file >= 0);
    dup2(file, 2);
    sc_probe_many(&path, 1, NULL, &probe, NULL);
    dup2(saved, 2);
    assert_int_equal(fstat(file, &facts), 0);
    close(file);
    close(saved);
    assert_non_null(probe);
    *flags = only_clip(probe)->flags;
    sc_probe_free(&probe);
    return (long)facts.st_size;
}

static void an_application_may_silence_ffmpeg(void **state)
{
    uint32_t flags;
    int before = av_log_get_level();
    (void)state;
    need("h264.ts");
    copy_part("h264.ts", "loud.ts", 0.37);
    av_log_set_level(AV_LOG_INFO);
    assert_true(stderr_bytes_of(in_folder("loud.ts"), &flags) > 0);
    assert_int_equal(av_log_get_level(), AV_LOG_INFO);
    sc_probe_quiet_ffmpeg();
    assert_int_equal(av_log_get_level(), AV_LOG_QUIET);
    assert_int_equal(stderr_bytes_of(in_folder("loud.ts"), &flags), 0);
    av_log_set_level(before);
}

static void broken_files_tell_how_much_of_them_is_there(void **state)
{
    static const struct {
        const char *from, *to;
        uint32_t flags;
    } cuts[] = {{"h264.mkv", "cut.mkv", SC_CLIP_TRUNCATED},
                {"h264.ts", "cut.ts", 0},
                {"mpeg2.mxf", "cut.mxf", SC_CLIP_TRUNCATED},
                {"mpeg4.avi", "cut.avi", SC_CLIP_TRUNCATED},
                {"fragments.mp4", "cut.mp4", 0},
                {"raw.h264", "cut.h264", 0},
                {"sidx.mp4", "cut-sidx.mp4", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        uint32_t flags = 0;
        if (access(in_folder(cuts[i].from), R_OK) != 0)
            skip();
        copy_part(cuts[i].from, cuts[i].to, 0.37);
        assert_int_equal(stderr_bytes_of(in_folder(cuts[i].to), &flags), 0);
        if ((flags & cuts[i].flags) != cuts[i].flags)
            print_message("%s: flags %x\n", cuts[i].to, flags);
        assert_int_equal(flags & cuts[i].flags, cuts[i].flags);
    }
}

static void what_is_no_media_has_a_clear_error(void **state)
{
    static const struct {
        const char *name, *text;
        sc_status status;
        const char *message;
    } cases[] = {
        {"empty.mov", "", SC_INVALID_DATA, "the file is empty"},
        {"notes.txt", "Scene 1, take 2.\n", SC_UNSUPPORTED, "not recognised"},
        {"text.mov", "no film at all, whatever its name may say\n", SC_INVALID_DATA,
         "no index (moov)"},
        {"list.ffconcat", "ffconcat version 1.0\nfile h264.mp4\n", SC_UNSUPPORTED,
         "a list that only names other files"},
        {"concat.mov", "ffconcat version 1.0\nfile h264.mp4\n", SC_UNSUPPORTED,
         "a list that only names other files"},
        {"list.m3u8",
         "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXTINF:4.0,\nh264.ts\n"
         "#EXT-X-ENDLIST\n",
         SC_UNSUPPORTED, "a list that only names other files"},
        {"stream.sdp",
         "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\n"
         "m=video 5004 RTP/AVP 96\n",
         SC_UNSUPPORTED, "a list that only names other files"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(cases[i].name, cases[i].text);
        const char *path = in_folder(cases[i].name);
        sc_probe *probe = NULL;
        sc_status status = sc_probe_many(&path, 1, NULL, &probe, NULL);
        assert_non_null(probe);
        const sc_clip *clip = only_clip(probe);
        if (!strstr(clip->error.message, cases[i].message))
            print_message("%s: %s\n", cases[i].name, clip->error.message);
        assert_int_equal(status, clip->error.status);
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(clip->error.message, cases[i].message));
        assert_true(clip->bytes_read <= (int64_t)strlen(cases[i].text) + 256);
        sc_probe_free(&probe);
    }
}

static void only_regular_files_are_opened(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)state;
    assert_int_equal(mkfifo(in_folder("pipe.mov"), 0600), 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket.mov", folder);
    assert_int_equal(bind(socket_fd, (struct sockaddr *)&address, sizeof address), 0);
    const char *paths[] = {in_folder("pipe.mov"), address.sun_path, "/dev/null", "/dev/zero"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        sc_probe *probe = probe_one(paths[i], NULL, SC_UNSUPPORTED);
        assert_non_null(strstr(only_clip(probe)->error.message, "not a regular file"));
        assert_int_equal(only_clip(probe)->bytes_read, 0);
        sc_probe_free(&probe);
    }
    close(socket_fd);
    unlink(address.sun_path);
    unlink(in_folder("pipe.mov"));
    sc_probe *probe = probe_one(in_folder("missing.mov"), NULL, SC_NOT_FOUND);
    assert_non_null(strstr(only_clip(probe)->error.message, "No such file"));
    sc_probe_free(&probe);
}

/* ---- directories and many paths ---- */

static void a_directory_is_searched_in_order(void **state)
{
    (void)state;
    need("h264.mp4");
    const char *path = in_folder("tree");
    assert_int_equal(mkdir(path, 0755), 0);
    assert_int_equal(mkdir(in_folder("tree/b"), 0755), 0);
    assert_int_equal(mkdir(in_folder("tree/b/deep"), 0755), 0);
    copy_part("h264.mp4", "tree/c.mp4", 1);
    copy_part("h264.mp4", "tree/b/2.mp4", 1);
    copy_part("h264.mp4", "tree/b/deep/1.mp4", 1);
    copy_part("h264.mp4", "tree/.hidden.mp4", 1);
    write_file("tree/._c.mp4", "x");
    write_file("tree/a.mp4", "");
    write_file("tree/info.json", "{}");
    write_file("tree/b/readme.txt", "hello");
    write_file("tree/broken.mov", "....");
    write_file("tree/broken.THM", "sidecar");
    write_file("tree/broken.xml", "<sidecar/>");
    assert_int_equal(mkdir(in_folder("tree/@eaDir"), 0755), 0);
    assert_int_equal(mkdir(in_folder("tree/$Recycle.Bin"), 0755), 0);
    copy_part("h264.mp4", "tree/@eaDir/c.mp4", 1);
    copy_part("h264.mp4", "tree/$Recycle.Bin/c.mp4", 1);
    assert_int_equal(symlink("..", in_folder("tree/b/loop")), 0);
    assert_int_equal(symlink("../c.mp4", in_folder("tree/b/link.mp4")), 0);

    sc_probe *probe = probe_one(path, NULL, SC_OK);
    static const char *const names[] = {"/b/2.mp4", "/b/deep/1.mp4", "/b/link.mp4", "/broken.mov",
                                        "/c.mp4"};
    assert_int_equal(probe->clip_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(probe->clips[i].path + strlen(path), names[i]);
    assert_int_not_equal(probe->clips[3].error.status, SC_OK);
    assert_int_equal(probe->error.status, probe->clips[3].error.status);
    assert_string_equal(probe->error.path, probe->clips[3].path);
    assert_int_equal(probe->finding_count, 2);
    assert_string_equal(probe->findings[0].code, "empty-files");
    assert_non_null(strstr(probe->findings[0].message, "1 file is"));
    assert_string_equal(probe->findings[1].code, "skipped-files");
    assert_non_null(strstr(probe->findings[1].message, "4 other files"));
    sc_probe_free(&probe);

    probe = probe_one(path, &(sc_probe_params){.max_depth = 1}, SC_OK);
    assert_int_equal(probe->clip_count, 4);
    assert_true(has_finding(probe->findings, probe->finding_count, "too-deep"));
    sc_probe_free(&probe);
    probe = probe_one(path, &(sc_probe_params){.max_files = 3}, SC_OK);
    assert_int_equal(probe->clip_count, 2);
    assert_true(has_finding(probe->findings, probe->finding_count, "too-many-files"));
    sc_probe_free(&probe);
}

static void an_unreadable_directory_is_a_finding(void **state)
{
    (void)state;
    need("h264.mp4");
    const char *path = in_folder("mixed");
    assert_int_equal(mkdir(path, 0755), 0);
    copy_part("h264.mp4", "mixed/a.mp4", 1);
    assert_int_equal(mkdir(in_folder("mixed/closed"), 0), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    bool root = geteuid() == 0;
    if (root)
        assert_int_equal(seteuid(65534), 0);
    sc_probe *probe = probe_one(path, NULL, SC_OK);
    assert_int_equal(probe->clip_count, 1);
    assert_true(has_finding(probe->findings, probe->finding_count, "unreadable-directory"));
    sc_probe_free(&probe);
    probe = probe_one(in_folder("mixed/closed"), NULL, SC_PERMISSION);
    assert_string_equal(only_clip(probe)->error.path, in_folder("mixed/closed"));
    sc_probe_free(&probe);
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(in_folder("mixed/closed"), 0700), 0);
}

static void a_directory_without_media_is_not_found(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("dull"), 0755), 0);
    write_file("dull/a.txt", "text");
    sc_probe *probe = probe_one(in_folder("dull"), NULL, SC_NOT_FOUND);
    assert_int_equal(probe->clip_count, 0);
    assert_int_equal(probe->error.status, SC_OK);
    assert_true(has_finding(probe->findings, probe->finding_count, "no-media"));
    sc_probe_free(&probe);
}

static void one_bad_file_never_stops_the_rest(void **state)
{
    (void)state;
    need("h264.mp4");
    const char *paths[] = {"/nowhere/a.mov", in_folder("h264.mp4"), "/nowhere/b.mov"};
    sc_probe *probe = NULL;
    sc_error error = {0};
    assert_int_equal(sc_probe_many(paths, 3, NULL, &probe, &error), SC_OK);
    assert_int_equal(error.status, SC_OK);
    assert_int_equal(probe->clip_count, 3);
    assert_int_equal(probe->clips[0].error.status, SC_NOT_FOUND);
    assert_int_equal(probe->clips[1].error.status, SC_OK);
    assert_int_equal(probe->clips[2].error.status, SC_NOT_FOUND);
    assert_int_equal(strlen(probe->made_at), 20);
    sc_probe_free(&probe);
    assert_null(probe);
    sc_probe_free(&probe);
}

static void arguments_are_checked(void **state)
{
    const char *paths[] = {"a.mov", ""};
    sc_probe *probe = (sc_probe *)state;
    sc_error error = {0};
    assert_int_equal(sc_probe_many(NULL, 1, NULL, &probe, NULL), SC_INVALID_ARGUMENT);
    assert_null(probe);
    assert_int_equal(sc_probe_many(paths, 0, NULL, &probe, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_probe_many(paths, 2, NULL, &probe, &error), SC_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "path 2"));
    assert_int_equal(sc_probe_many(paths, 1, NULL, NULL, NULL), SC_INVALID_ARGUMENT);
    const sc_probe_params wrong[] = {
        {.max_depth = -1}, {.max_depth = 1000000}, {.max_files = -1}, {.max_seconds = NAN}};
    const sc_probe_params odd[] = {{.parallel = -1}, {.parallel = 65}, {.discard = true}};
    static const char *const named[] = {"parallel is -1", "parallel is 65", "discard"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        error = (sc_error){0};
        assert_int_equal(sc_probe_many(paths, 1, &wrong[i], &probe, &error), SC_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, "max_"));
        assert_null(probe);
    }
    for (size_t i = 0; i < 3; i++) {
        error = (sc_error){0};
        assert_int_equal(sc_probe_many(paths, 1, &odd[i], &probe, &error), SC_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[i]));
        assert_null(probe);
    }
}

/* ---- many files ---- */

struct seen {
    pthread_t thread;
    size_t count, failed, stop_after;
    size_t places[2][64]; /* how often each place of each path was given */
    int64_t done, found;
    double fraction;
};

static int see_clip(void *opaque, const sc_clip *clip, size_t path_index, size_t place)
{
    struct seen *seen = opaque;
    assert_true(pthread_equal(seen->thread, pthread_self()));
    assert_true(path_index < 2 && place < 64);
    seen->places[path_index][place]++;
    seen->failed += clip->error.status != SC_OK;
    assert_true(clip->error.status != SC_OK || clip->trace.count > 0);
    seen->count++;
    return seen->count == seen->stop_after;
}

static int see_progress(void *opaque, const sc_progress *progress)
{
    struct seen *seen = opaque;
    assert_true(progress->files_done >= seen->done && progress->files_found >= seen->found);
    assert_true(progress->files_done <= progress->files_found);
    assert_true(progress->fraction <= 1);
    seen->done = progress->files_done;
    seen->found = progress->files_found;
    return 0;
}

/* 40 files, one of them broken, of two depths. */
static void make_many(void)
{
    char name[64];
    if (mkdir(in_folder("many"), 0755) != 0)
        return;
    assert_int_equal(mkdir(in_folder("many/m"), 0755), 0);
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, i % 2 ? "many/%02d.mp4" : "many/m/%02d.mp4", i);
        if (i == 7)
            write_file(name, "broken");
        else
            copy_part(i % 3 ? "h264.mp4" : "prores.mov", name, 1);
    }
}

static void the_order_does_not_depend_on_threads(void **state)
{
    (void)state;
    need("h264.mp4");
    make_many();
    const char *paths[] = {in_folder("many"), in_folder("h264.mp4")};
    sc_probe *one = NULL, *many = NULL;
    assert_int_equal(sc_probe_many(paths, 2, &(sc_probe_params){.parallel = 1}, &one, NULL), SC_OK);
    assert_int_equal(one->clip_count, 41);
    assert_string_equal(one->clips[40].path, paths[1]);
    for (int32_t parallel = 2; parallel <= 64; parallel *= 2) {
        const sc_probe_params params = {.parallel = parallel};
        assert_int_equal(sc_probe_many(paths, 2, &params, &many, NULL), SC_OK);
        assert_int_equal(many->clip_count, 41);
        for (size_t i = 0; i < 41; i++) {
            const sc_clip *a = &one->clips[i], *b = &many->clips[i];
            assert_string_equal(a->path, b->path);
            assert_int_equal(a->error.status, b->error.status);
            assert_int_equal(a->demand_bits_per_s, b->demand_bits_per_s);
            assert_int_equal(a->trace.count, b->trace.count);
            assert_int_equal(a->reads, b->reads);
        }
        assert_string_equal(one->error.path, many->error.path);
        sc_probe_free(&many);
    }
    sc_probe_free(&one);
}

static void clips_are_given_when_they_are_ready(void **state)
{
    (void)state;
    need("h264.mp4");
    make_many();
    for (int discard = 0; discard < 2; discard++) {
        struct seen seen = {.thread = pthread_self()};
        const char *paths[] = {in_folder("many"), in_folder("h264.mp4")};
        const sc_probe_params params = {
            .on_clip = see_clip,
            .on_clip_opaque = &seen,
            .discard = discard,
            .control = {.progress = see_progress, .progress_opaque = &seen}};
        sc_probe *probe = NULL;
        assert_int_equal(sc_probe_many(paths, 2, &params, &probe, NULL), SC_OK);
        assert_int_equal(seen.count, 41);
        assert_int_equal(seen.failed, 1);
        for (size_t i = 0; i < 40; i++)
            assert_int_equal(seen.places[0][i], 1);
        assert_int_equal(seen.places[1][0], 1);
        assert_int_equal(probe->clip_count, discard ? 0 : 41);
        assert_int_equal(probe->error.status, SC_INVALID_DATA);
        assert_non_null(strstr(probe->error.path, "07.mp4"));
        sc_probe_free(&probe);
    }
}

static void a_callback_may_cancel(void **state)
{
    (void)state;
    need("h264.mp4");
    make_many();
    struct seen seen = {.thread = pthread_self(), .stop_after = 3};
    const sc_probe_params params = {.on_clip = see_clip, .on_clip_opaque = &seen};
    sc_probe *probe = probe_one(in_folder("many"), &params, SC_CANCELLED);
    assert_int_equal(seen.count, 3);
    assert_true(probe->clip_count >= 3 && probe->clip_count < 40);
    assert_int_equal(probe->error.status, SC_CANCELLED);
    sc_probe_free(&probe);
}

static void the_first_failure_is_the_first_in_order(void **state)
{
    (void)state;
    need("h264.mkv");
    char paths[64][64];
    const char *pointers[64];
    sc_error error = {0};
    sc_probe *probe = NULL;
    for (size_t i = 0; i < 64; i++) {
        snprintf(paths[i], sizeof paths[i], "/nowhere/%02zu.mov", i);
        pointers[i] = paths[i];
    }
    assert_int_equal(sc_probe_many(pointers, 64, NULL, &probe, &error), SC_NOT_FOUND);
    assert_string_equal(error.path, "/nowhere/00.mov");
    assert_int_equal(probe->clip_count, 64);
    for (size_t i = 0; i < 64; i++)
        assert_string_equal(probe->clips[i].path, paths[i]);
    sc_probe_free(&probe);
}

/* ---- limits, cancel, growth ---- */

static void limits_end_a_scan_and_say_so(void **state)
{
    (void)state;
    need("h264.ts");
    sc_probe *whole = probe_one(in_folder("h264.ts"), NULL, SC_OK);
    int64_t size = only_clip(whole)->size_bytes;
    const sc_probe_params params = {.max_bytes = size / 2};
    sc_probe *half = probe_one(in_folder("h264.ts"), &params, SC_OK);
    const sc_clip *clip = only_clip(half);
    assert_true(clip->bytes_read <= size / 2);
    assert_int_equal(clip->flags & (SC_CLIP_LIMITED | SC_CLIP_SAMPLED),
                     SC_CLIP_LIMITED | SC_CLIP_SAMPLED);
    assert_int_equal(clip->source, SC_SOURCE_SAMPLED);
    assert_true(has_finding(clip->findings, clip->finding_count, "limited"));
    assert_true(clip->duration_s > 0.5 && clip->duration_s < only_clip(whole)->duration_s);
    assert_true(clip->tracks[0].packets < only_clip(whole)->tracks[0].packets);
    sc_probe_free(&half);
    /* As much as the whole scan read is enough. */
    const sc_probe_params enough = {.max_bytes = only_clip(whole)->bytes_read};
    half = probe_one(in_folder("h264.ts"), &enough, SC_OK);
    assert_int_equal(only_clip(half)->flags, only_clip(whole)->flags);
    assert_int_equal(only_clip(half)->bytes_read, only_clip(whole)->bytes_read);
    sc_probe_free(&half);
    half = probe_one(in_folder("h264.ts"), &(sc_probe_params){.max_bytes = 64}, SC_LIMIT);
    assert_non_null(strstr(only_clip(half)->error.message, "the limit of 64 bytes (max_bytes"));
    sc_probe_free(&half);
    half = probe_one(in_folder("h264.ts"), &(sc_probe_params){.max_seconds = 1e-9}, SC_LIMIT);
    assert_non_null(strstr(only_clip(half)->error.message, "--max-seconds"));
    sc_probe_free(&half);
    half = probe_one(in_folder("h264.ts"), &(sc_probe_params){.max_bytes = -1, .max_seconds = -1},
                     SC_OK);
    assert_int_equal(only_clip(half)->source, SC_SOURCE_SCAN);
    sc_probe_free(&half);
    sc_probe_free(&whole);
}

static int stop_at_second_file(void *opaque, const sc_progress *progress)
{
    (void)opaque;
    assert_string_equal(progress->stage, "probe");
    return strstr(progress->detail, "h264.mkv") != NULL;
}

static void cancelling_keeps_what_was_done(void **state)
{
    (void)state;
    need("h264.mp4");
    need("h264.mkv");
    sc_probe *probe = NULL;
    sc_error error = {0};
    sc_cancel *cancel = sc_cancel_create();
    const char *one = in_folder("h264.mp4");
    sc_probe_params params = {.control = {.cancel = cancel}};
    sc_cancel_trigger(cancel);
    assert_int_equal(sc_probe_many(&one, 1, &params, &probe, &error), SC_CANCELLED);
    assert_int_equal(error.status, SC_CANCELLED);
    assert_non_null(probe);
    assert_int_equal(probe->clip_count, 0);
    assert_int_equal(probe->error.status, SC_CANCELLED);
    sc_probe_free(&probe);
    sc_cancel_free(&cancel);

    /* Progress is throttled: many files give it time to speak. */
    const char *paths[2000];
    char mp4[512], mkv[512];
    snprintf(mp4, sizeof mp4, "%s/h264.mp4", folder);
    snprintf(mkv, sizeof mkv, "%s/h264.mkv", folder);
    for (size_t i = 0; i < 2000; i++)
        paths[i] = i < 100 ? mp4 : mkv;
    params = (sc_probe_params){.control = {.progress = stop_at_second_file}};
    assert_int_equal(sc_probe_many(paths, 2000, &params, &probe, NULL), SC_CANCELLED);
    assert_non_null(probe);
    /* Eight are looked for at once. */
    assert_true(probe->clip_count > 100 - 8 && probe->clip_count < 2000);
    sc_probe_free(&probe);
}

struct recorder {
    char path[512];
    atomic_bool done;
};

static void *keep_appending(void *opaque)
{
    struct recorder *recorder = opaque;
    while (!atomic_load(&recorder->done)) {
        FILE *file = fopen(recorder->path, "a");
        if (file) {
            fputc(0, file);
            fclose(file);
        }
        usleep(50);
    }
    return NULL;
}

static void growth_is_noticed(void **state)
{
    struct recorder recorder = {.done = false};
    pthread_t thread;
    uint32_t flags = 0;
    (void)state;
    need("h264.mp4");
    copy_part("h264.mp4", "growing.mp4", 1);
    snprintf(recorder.path, sizeof recorder.path, "%s", in_folder("growing.mp4"));
    assert_int_equal(pthread_create(&thread, NULL, keep_appending, &recorder), 0);
    for (int i = 0; i < 1000 && !flags; i++) {
        sc_probe *probe = probe_one(recorder.path, NULL, SC_OK);
        const sc_clip *clip = only_clip(probe);
        flags = clip->flags;
        assert_int_equal(has_finding(clip->findings, clip->finding_count, "growing"), flags != 0);
        sc_probe_free(&probe);
    }
    atomic_store(&recorder.done, true);
    pthread_join(thread, NULL);
    assert_int_equal(flags, SC_CLIP_GROWING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_container_agrees_with_a_full_reading),
        cmocka_unit_test(an_index_costs_no_media),
        cmocka_unit_test(frames_are_kept_where_they_are_asked_for),
        cmocka_unit_test(variable_frame_rates_are_flagged),
        cmocka_unit_test(cover_art_is_not_played),
        cmocka_unit_test(a_cut_copy_keeps_the_rate_of_its_index),
        cmocka_unit_test(a_recording_without_its_index_is_called_so),
        cmocka_unit_test(an_application_may_silence_ffmpeg),
        cmocka_unit_test(broken_files_tell_how_much_of_them_is_there),
        cmocka_unit_test(what_is_no_media_has_a_clear_error),
        cmocka_unit_test(only_regular_files_are_opened),
        cmocka_unit_test(a_directory_is_searched_in_order),
        cmocka_unit_test(an_unreadable_directory_is_a_finding),
        cmocka_unit_test(a_directory_without_media_is_not_found),
        cmocka_unit_test(one_bad_file_never_stops_the_rest),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(the_order_does_not_depend_on_threads),
        cmocka_unit_test(clips_are_given_when_they_are_ready),
        cmocka_unit_test(a_callback_may_cancel),
        cmocka_unit_test(the_first_failure_is_the_first_in_order),
        cmocka_unit_test(limits_end_a_scan_and_say_so),
        cmocka_unit_test(cancelling_keeps_what_was_done),
        cmocka_unit_test(growth_is_noticed),
    };
    sc_probe_quiet_ffmpeg();
    return cmocka_run_group_tests(tests, make_clips, delete_clips);
}
