/* MOV and MP4: what the index reader finds is, packet by packet, what libavformat reads from the whole
   file. Clips are made by the ffmpeg program, and damaged here; skipped without it. */
#include "comparing.h"

#include <streamcalc/probe.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/sc-movie-XXXXXX";

#define VIDEO "-f lavfi -i testsrc2=s=160x90:r=25:d=4 "
#define SOUND "-f lavfi -i sine=r=48000:d=4 "
#define X264  "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 12 -c:a aac "

static const struct {
    const char *name, *arguments;
} recipes[] = {
    {"plain.mp4", VIDEO SOUND X264},
    {"front.mp4", VIDEO SOUND X264 "-movflags faststart"},
    {"b-frames.mp4", VIDEO SOUND X264 "-bf 3"},
    {"negative.mp4", VIDEO SOUND X264 "-bf 3 -movflags negative_cts_offsets"},
    {"two-sounds.mov",
     VIDEO SOUND SOUND "-map 0 -map 1 -map 2 -c:v prores_ks -c:a:0 pcm_s24le -c:a:1 aac"},
    {"variable.mp4", VIDEO "-vf select='not(mod(n\\,7)*mod(n\\,5))' -vsync vfr -an " X264},
    {"delayed.mp4", VIDEO "-itsoffset 0.5 " SOUND "-map 0 -map 1 " X264},
    {"key.mp4", VIDEO SOUND X264 "-movflags frag_keyframe"},
    {"empty.mp4", VIDEO SOUND X264 "-movflags frag_keyframe+empty_moov"},
    {"time.mp4", VIDEO SOUND X264 "-movflags empty_moov -frag_duration 300000"},
    {"base.mp4", VIDEO SOUND X264 "-movflags frag_keyframe+empty_moov+default_base_moof"},
    {"separate.mp4", VIDEO SOUND X264 "-movflags frag_keyframe+empty_moov+separate_moof"},
    {"omit.mp4", VIDEO SOUND X264 "-movflags frag_keyframe+empty_moov+omit_tfhd_offset"},
    {"every.mp4", VIDEO SOUND X264 "-movflags frag_every_frame+empty_moov"},
    {"cmaf.mp4", VIDEO "-an " X264 "-movflags cmaf+frag_keyframe+delay_moov"},
    {"trailer.mp4", VIDEO SOUND X264 "-movflags frag_keyframe+empty_moov+skip_trailer"},
};

/* These carry an index of segments, whose presentation times libavformat takes for decoding times. */
static const struct {
    const char *name, *arguments;
} segmented[] = {
    {"dash.mp4", VIDEO SOUND X264 "-movflags dash+frag_keyframe+empty_moov+global_sidx"},
    {"sidx.mp4",
     VIDEO SOUND X264 "-movflags frag_keyframe+delay_moov+default_base_moof+global_sidx"},
};

static const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void make(const char *name, const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "ffmpeg -nostdin -v quiet -y %s '%s/%s' || rm -f '%s/%s'",
             arguments, folder, name, folder, name);
    if (system(command) != 0)
        print_message("cannot run ffmpeg\n");
}

static int make_clips(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < SCI_COUNT(recipes); i++)
        make(recipes[i].name, recipes[i].arguments);
    for (size_t i = 0; i < SCI_COUNT(segmented); i++)
        make(segmented[i].name, segmented[i].arguments);
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

/* ---- packets, by both ---- */

static bool is_there(const char *name)
{
    return access(in_folder(name), R_OK) == 0;
}

static void compare_clip(const char *name, bool times)
{
    struct opened opened;
    open_media(&opened, in_folder(name), (sci_media_limits){.max_bytes = -1, .max_seconds = 60});
    assert_int_equal(opened.media.source, SC_SOURCE_FILE_INDEX);
    assert_int_equal(opened.media.flags, 0);
    compare(in_folder(name), &opened.media, COMPARE_KEYS | (times ? COMPARE_TIMES : 0));
    close_media(&opened);
}

static void packets_are_those_of_a_full_reading(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(recipes); i++) {
        if (!is_there(recipes[i].name))
            continue;
        print_message("%s\n", recipes[i].name);
        compare_clip(recipes[i].name, true);
        done++;
    }
    for (size_t i = 0; i < SCI_COUNT(segmented); i++)
        if (is_there(segmented[i].name))
            compare_clip(segmented[i].name, false);
    if (!done)
        skip();
}

/* ---- damaged and unfinished ---- */

struct bytes {
    uint8_t *at;
    size_t size;
};

static struct bytes load(const char *name)
{
    struct stat facts;
    FILE *file = fopen(in_folder(name), "rb");
    if (!file)
        skip();
    assert_int_equal(fstat(fileno(file), &facts), 0);
    struct bytes bytes = {malloc((size_t)facts.st_size), (size_t)facts.st_size};
    assert_int_equal(fread(bytes.at, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

static void store(const char *name, struct bytes bytes)
{
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.at, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
}

static uint8_t *find(struct bytes bytes, const char type[4])
{
    return memmem(bytes.at, bytes.size, type, 4);
}

static sc_probe *probe(const char *name, const sc_probe_params *params)
{
    const char *path = in_folder(name);
    sc_probe *result = NULL;
    sc_probe_many(&path, 1, params, &result, NULL);
    assert_non_null(result);
    return result;
}

static void an_unfinished_recording_has_the_figures_of_what_is_there(void **state)
{
    (void)state;
    struct bytes bytes = load("empty.mp4");
    bytes.size -= bytes.size / 3;
    store("unfinished.mp4", bytes);
    free(bytes.at);
    sc_probe *result = probe("unfinished.mp4", NULL);
    const sc_clip *clip = &result->clips[0];
    assert_int_equal(clip->error.status, SC_OK);
    assert_int_equal(clip->source, SC_SOURCE_FILE_INDEX);
    assert_true(clip->flags & SC_CLIP_TRUNCATED);
    assert_true(clip->duration_s > 1.5 && clip->duration_s < 3.5);
    assert_true(clip->tracks[0].packets > 40 && clip->tracks[0].packets < 90);
    sc_probe_free(&result);
}

static void a_segment_index_stands_in_at_a_limit(void **state)
{
    (void)state;
    struct bytes bytes = load("sidx.mp4");
    const int64_t first = find(bytes, "moof") - bytes.at;
    const int64_t all = (int64_t)bytes.size;
    free(bytes.at);
    sc_probe_params params = {.max_bytes = 36 * 1024};
    sc_probe *result = probe("sidx.mp4", &params);
    const sc_clip *clip = &result->clips[0];
    int64_t total = 0;
    for (size_t i = 0; i < clip->trace.count; i++)
        total += clip->trace.bytes[i];
    assert_int_equal(clip->error.status, SC_OK);
    assert_int_equal(clip->source, SC_SOURCE_CLUSTERS);
    assert_true(clip->flags & SC_CLIP_LIMITED);
    assert_true(clip->duration_s > 3.9 && clip->duration_s < 4.2);
    assert_true(total > (all - first) * 95 / 100 && total <= all - first + 8);
    sc_probe_free(&result);
}

static void an_initialisation_segment_is_called_so(void **state)
{
    (void)state;
    struct bytes bytes = load("empty.mp4");
    bytes.size = (size_t)(find(bytes, "moof") - 4 - bytes.at);
    store("init.mp4", bytes);
    free(bytes.at);
    sc_probe *result = probe("init.mp4", NULL);
    assert_int_equal(result->clips[0].error.status, SC_INVALID_DATA);
    assert_non_null(strstr(result->clips[0].error.message, "initialisation segment"));
    sc_probe_free(&result);
}

static void put_32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* A few hundred bytes must not ask for gigabytes. */
static void impossible_counts_are_refused(void **state)
{
    (void)state;
    struct bytes bytes = load("plain.mp4");
    uint8_t *sizes = find(bytes, "stsz"), *runs = find(bytes, "stsc");
    put_32(sizes + 8, 100);
    put_32(sizes + 12, 16000000);
    put_32(runs + 16, 16000000);
    store("bomb.mp4", bytes);
    free(bytes.at);
    sc_probe *result = probe("bomb.mp4", NULL);
    assert_int_equal(result->clips[0].error.status, SC_INVALID_DATA);
    assert_non_null(strstr(result->clips[0].error.message, "it counts"));
    sc_probe_free(&result);
}

static void damage_is_never_more_than_an_error(void **state)
{
    static const char *const names[] = {"plain.mp4", "two-sounds.mov", "sidx.mp4", "omit.mp4"};
    uint32_t random = 1;
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        struct bytes bytes = load(names[i % SCI_COUNT(names)]);
        const uint8_t *moov = find(bytes, "moov");
        for (int k = 0; k < 8; k++) {
            random = random * 1664525 + 1013904223;
            const size_t at = (size_t)(moov - bytes.at) + (random >> 8) % 3000;
            if (at < bytes.size)
                bytes.at[at] = (uint8_t)(random >> 3);
        }
        store("damaged.mp4", bytes);
        free(bytes.at);
        sc_probe *result = probe("damaged.mp4", NULL);
        assert_int_equal(result->clip_count, 1);
        sc_probe_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_are_those_of_a_full_reading),
        cmocka_unit_test(an_unfinished_recording_has_the_figures_of_what_is_there),
        cmocka_unit_test(a_segment_index_stands_in_at_a_limit),
        cmocka_unit_test(an_initialisation_segment_is_called_so),
        cmocka_unit_test(impossible_counts_are_refused),
        cmocka_unit_test(damage_is_never_more_than_an_error),
    };
    sc_probe_quiet_ffmpeg();
    return cmocka_run_group_tests(tests, make_clips, delete_clips);
}
