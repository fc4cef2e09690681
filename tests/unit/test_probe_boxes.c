/* MOV and MP4 that no program at hand writes, put together box by box: what the probe finds is, packet
   by packet, what libavformat reads. */
#include "movies.h"
#include "probing.h"

#include <streamcalc/probe.h>

enum { SAMPLES = 60, CHUNK = 6, TICKS = MOVIE_TICKS_PER_S / 25, TRACKS_MAX = 8 };

/* ---- against a reading ---- */

static void compare_packet(const struct probing *probing, const AVPacket *packet, size_t *next)
{
    const sci_media_track *track = &probing->media.tracks[packet->stream_index];
    if (!track->played)
        return;
    assert_true(*next < track->count);
    const sci_packet *ours = &probing->media.packets.items[track->first + *next];
    assert_int_equal(ours->pos, packet->pos);
    assert_int_equal(ours->bytes, packet->size);
    assert_int_equal(ours->time, packet->dts);
    assert_int_equal(ours->key, !!(packet->flags & AV_PKT_FLAG_KEY));
    ++*next;
}

static void compare(const struct probing *probing, const char *path)
{
    AVFormatContext *format = NULL;
    AVPacket *packet = av_packet_alloc();
    size_t next[TRACKS_MAX] = {0};
    assert_int_equal(avformat_open_input(&format, path, NULL, NULL), 0);
    assert_int_equal(format->nb_streams, probing->media.track_count);
    for (; av_read_frame(format, packet) >= 0; av_packet_unref(packet))
        compare_packet(probing, packet, &next[packet->stream_index]);
    for (unsigned i = 0; i < format->nb_streams; i++)
        if (probing->media.tracks[i].played)
            assert_int_equal(next[i], probing->media.tracks[i].count);
    avformat_close_input(&format);
    av_packet_free(&packet);
}

/* All its packets, those of each track together. */
static void probe_file(struct probing *probing, const char *path)
{
    sc_error error = {0};
    collect(probing, path, false, -1);
    assert_int_equal(probing->status, SC_OK);
    assert_int_equal(probing->media.source, SC_SOURCE_FILE_INDEX);
    assert_int_equal(probing->media.flags, 0);
    assert_int_equal(sci_tracks_group(&probing->media, &error), SC_OK);
}

static void probe_and_compare(const char *path, size_t packets)
{
    struct probing probing;
    probe_file(&probing, path);
    compare(&probing, path);
    assert_int_equal(probing.media.packets.count, packets);
    release(&probing);
}

/* ---- samples ---- */

struct samples {
    uint32_t sizes[SAMPLES], chunks[SAMPLES / CHUNK];
};

/* mdat, with sizes that fit into so many bits. */
static struct samples put_samples(struct movie *movie, int bits)
{
    struct samples samples;
    movie_begin(movie, "mdat");
    for (uint32_t i = 0; i < SAMPLES; i++) {
        if (i % CHUNK == 0)
            samples.chunks[i / CHUNK] = (uint32_t)movie->size;
        samples.sizes[i] = (1 + i * 7919) & ((1u << bits) - 1);
        if (samples.sizes[i] == 0)
            samples.sizes[i] = 1;
        movie_zeroes(movie, samples.sizes[i]);
        if (i % CHUNK == CHUNK - 1)
            movie_zeroes(movie, 5);
    }
    movie_end(movie);
    return samples;
}

static void put_tables(struct movie *movie, const struct samples *samples)
{
    movie_times(movie, SAMPLES, TICKS);
    movie_runs(movie, CHUNK);
    movie_sizes(movie, 0, samples->sizes, SAMPLES);
    movie_chunks(movie, samples->chunks, SAMPLES / CHUNK);
}

static void put_compact_sizes(struct movie *movie, const struct samples *samples, int bits)
{
    movie_begin_full(movie, "stz2", 0);
    movie_32(movie, (uint32_t)bits);
    movie_32(movie, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        if (bits == 4)
            movie_number(movie, samples->sizes[i] << 4 | samples->sizes[i + 1], 1), i++;
        else
            movie_number(movie, samples->sizes[i], bits / 8);
    }
    movie_end(movie);
}

static void compact_sizes_are_read(void **state)
{
    static const int bits[] = {4, 8, 16};
    (void)state;
    for (size_t k = 0; k < SCI_COUNT(bits); k++) {
        const char *path = in_folder("compact.mov");
        struct movie movie = {0};
        movie_type(&movie);
        const struct samples samples = put_samples(&movie, bits[k]);
        movie_header(&movie);
        movie_track(&movie, 1, "vide", "apcn");
        movie_times(&movie, SAMPLES, TICKS);
        movie_runs(&movie, CHUNK);
        put_compact_sizes(&movie, &samples, bits[k]);
        movie_chunks(&movie, samples.chunks, SAMPLES / CHUNK);
        movie_ends(&movie, 5);
        movie_save(&movie, path);
        probe_and_compare(path, SAMPLES);
    }
}

/* ---- tracks that are not played ---- */

static void other_tracks_are_counted_and_left_out(void **state)
{
    static const struct {
        const char *handler, *codec;
        sc_track_kind kind;
    } others[] = {{"meta", "gpmd", SC_TRACK_DATA},
                  {"tmcd", "tmcd", SC_TRACK_TIMECODE},
                  {"meta", "camm", SC_TRACK_DATA}};
    const char *path = in_folder("others.mov");
    struct movie movie = {0};
    struct samples samples[SCI_COUNT(others) + 1];
    struct probing probing;
    (void)state;
    movie_type(&movie);
    for (size_t i = 0; i < SCI_COUNT(samples); i++)
        samples[i] = put_samples(&movie, 10);
    movie_header(&movie);
    movie_track(&movie, 1, "vide", "apcn");
    put_tables(&movie, &samples[0]);
    movie_ends(&movie, 4);
    for (size_t i = 0; i < SCI_COUNT(others); i++) {
        movie_track(&movie, (uint32_t)i + 2, others[i].handler, others[i].codec);
        put_tables(&movie, &samples[i + 1]);
        movie_ends(&movie, 4);
    }
    movie_end(&movie);
    movie_save(&movie, path);
    probe_file(&probing, path);
    compare(&probing, path);
    assert_int_equal(probing.media.packets.count, SAMPLES);
    for (size_t i = 0; i < SCI_COUNT(others); i++) {
        const sci_media_track *track = &probing.media.tracks[i + 1];
        int64_t bytes = 0;
        for (size_t k = 0; k < SAMPLES; k++)
            bytes += samples[i + 1].sizes[k];
        assert_int_equal(track->kind, others[i].kind);
        assert_false(track->played);
        assert_true(track->told.set);
        assert_int_equal(track->told.packets, SAMPLES);
        assert_int_equal(track->told.bytes, bytes);
    }
    release(&probing);
}

/* ---- a compressed index ---- */

static uint32_t adler_32(const uint8_t *bytes, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* RFC 1950 and 1951: one stored block. */
static void put_deflated(struct movie *movie, const uint8_t *bytes, size_t size)
{
    assert_true(size < 65536);
    movie_put(movie, "\x78\x01\x01", 3);
    movie_put(movie, (const uint8_t[]){size & 255, (uint8_t)(size >> 8)}, 2);
    movie_put(movie, (const uint8_t[]){~size & 255, (uint8_t)(~size >> 8)}, 2);
    movie_put(movie, bytes, size);
    movie_32(movie, adler_32(bytes, size));
}

static void a_compressed_index_is_read(void **state)
{
    const char *path = in_folder("compressed.mov");
    struct movie movie = {0}, index = {0};
    (void)state;
    movie_type(&movie);
    const struct samples samples = put_samples(&movie, 12);
    movie_header(&index);
    movie_track(&index, 1, "vide", "apcn");
    put_tables(&index, &samples);
    movie_ends(&index, 5);
    movie_begin(&movie, "moov");
    movie_begin(&movie, "cmov");
    movie_begin(&movie, "dcom");
    movie_put(&movie, "zlib", 4);
    movie_end(&movie);
    movie_begin(&movie, "cmvd");
    movie_32(&movie, (uint32_t)index.size);
    put_deflated(&movie, index.data, index.size);
    movie_ends(&movie, 3);
    free(index.data);
    movie_save(&movie, path);
    probe_and_compare(path, SAMPLES);
}

/* ---- fragments ---- */

static void put_extends(struct movie *movie)
{
    movie_begin(movie, "mvex");
    movie_begin_full(movie, "trex", 0);
    movie_32(movie, 1);
    movie_32(movie, 1);
    movie_32(movie, TICKS);
    movie_zeroes(movie, 8);
    movie_ends(movie, 2);
}

/* moof and mdat; the samples are `bytes`, `bytes` + 1, ... long. */
static void put_fragment(struct movie *movie, uint32_t number, uint64_t time, uint32_t samples,
                         uint32_t bytes)
{
    const size_t start = movie->size;
    movie_begin(movie, "moof");
    movie_begin_full(movie, "mfhd", 0);
    movie_32(movie, number);
    movie_end(movie);
    movie_begin(movie, "traf");
    movie_begin_full(movie, "tfhd", 0x20000);
    movie_32(movie, 1);
    movie_end(movie);
    movie_begin_full(movie, "tfdt", 1 << 24);
    movie_64(movie, time);
    movie_end(movie);
    movie_begin_full(movie, "trun", 0x201);
    movie_32(movie, samples);
    const size_t offset = movie->size;
    movie_32(movie, 0);
    for (uint32_t i = 0; i < samples; i++)
        movie_32(movie, bytes + i);
    movie_ends(movie, 3);
    movie_set_32(movie, offset, (uint32_t)(movie->size + 8 - start));
    movie_begin(movie, "mdat");
    for (uint32_t i = 0; i < samples; i++)
        movie_zeroes(movie, bytes + i);
    movie_end(movie);
}

/* moov of a track without samples, which lie in fragments. */
static void put_empty_movie(struct movie *movie)
{
    movie_type(movie);
    movie_header(movie);
    movie_track(movie, 1, "vide", "apcn");
    movie_times(movie, 0, 0);
    movie_runs(movie, 0);
    movie_sizes(movie, 0, NULL, 0);
    movie_chunks(movie, NULL, 0);
    movie_ends(movie, 4);
    put_extends(movie);
    movie_end(movie);
}

static void samples_of_the_index_and_of_fragments_behind_it_are_one_track(void **state)
{
    enum { FRAGMENTS = 5, EACH = 4 };
    const char *path = in_folder("hybrid.mov");
    struct movie movie = {0};
    (void)state;
    movie_type(&movie);
    const struct samples samples = put_samples(&movie, 12);
    movie_header(&movie);
    movie_track(&movie, 1, "vide", "apcn");
    put_tables(&movie, &samples);
    movie_ends(&movie, 4);
    put_extends(&movie);
    movie_end(&movie);
    for (uint32_t i = 0; i < FRAGMENTS; i++)
        put_fragment(&movie, i + 1, (uint64_t)(SAMPLES + i * EACH) * TICKS, EACH, 100 + i);
    movie_save(&movie, path);
    probe_and_compare(path, SAMPLES + FRAGMENTS * EACH);
}

static void many_fragments_are_all_found(void **state)
{
    enum { FRAGMENTS = 18000 };
    const char *path = in_folder("many.mp4");
    struct movie movie = {0};
    struct probing probing;
    (void)state;
    put_empty_movie(&movie);
    for (uint32_t i = 0; i < FRAGMENTS; i++)
        put_fragment(&movie, i + 1, (uint64_t)i * TICKS, 1, 40 + i % 50);
    movie_save(&movie, path);
    probe_file(&probing, path);
    compare(&probing, path);
    assert_int_equal(probing.media.packets.count, FRAGMENTS);
    assert_true(probing.media.file.bytes_read < 2 * probing.media.file.size_bytes);
    assert_true(probing.media.file.reads < FRAGMENTS / 10);
    release(&probing);
}

/* ---- indexes of segments ---- */

struct reference {
    bool of_index;
    uint32_t bytes, ticks;
};

static void put_segments(struct movie *movie, const char *type, const struct reference *references,
                         uint32_t count)
{
    movie_begin_full(movie, type, 0);
    movie_32(movie, 1);
    movie_32(movie, MOVIE_TICKS_PER_S);
    movie_zeroes(movie, 8);
    movie_32(movie, count);
    for (uint32_t i = 0; i < count; i++) {
        movie_32(movie, (uint32_t)references[i].of_index << 31 | references[i].bytes);
        movie_32(movie, references[i].ticks);
        movie_32(movie, 0x90000000);
    }
    movie_end(movie);
}

enum { PARTS = 4, FRAGMENTS_A_PART = 5, SAMPLES_A_FRAGMENT = 10, SAMPLE_BYTES = 3000 };

/* An index of indexes: each part has one of its own fragments. type: "sidx". */
static void make_nested(const char *path, const char *type)
{
    struct movie movie = {0}, parts[PARTS] = {{0}};
    struct reference of_parts[PARTS];
    uint32_t number = 0;
    for (int p = 0; p < PARTS; p++) {
        struct movie fragments = {0};
        struct reference of_fragments[FRAGMENTS_A_PART];
        for (int i = 0; i < FRAGMENTS_A_PART; i++, number++) {
            const size_t start = fragments.size;
            put_fragment(&fragments, number + 1, (uint64_t)number * SAMPLES_A_FRAGMENT * TICKS,
                         SAMPLES_A_FRAGMENT, SAMPLE_BYTES + number);
            of_fragments[i] = (struct reference){false, (uint32_t)(fragments.size - start),
                                                 SAMPLES_A_FRAGMENT * TICKS};
        }
        put_segments(&parts[p], type, of_fragments, FRAGMENTS_A_PART);
        movie_put(&parts[p], fragments.data, fragments.size);
        free(fragments.data);
        of_parts[p] = (struct reference){true, (uint32_t)parts[p].size,
                                         FRAGMENTS_A_PART * SAMPLES_A_FRAGMENT * TICKS};
    }
    put_empty_movie(&movie);
    put_segments(&movie, type, of_parts, PARTS);
    for (int p = 0; p < PARTS; p++) {
        movie_put(&movie, parts[p].data, parts[p].size);
        free(parts[p].data);
    }
    movie_save(&movie, path);
}

/* libavformat refuses such files: it gets one with free space in place of the indexes. */
static void an_index_of_indexes_does_no_harm(void **state)
{
    const char *path = in_folder("nested.mp4"), *readable = in_folder("readable.mp4");
    struct probing probing;
    (void)state;
    make_nested(path, "sidx");
    make_nested(readable, "free");
    probe_file(&probing, path);
    compare(&probing, readable);
    assert_int_equal(probing.media.packets.count, PARTS * FRAGMENTS_A_PART * SAMPLES_A_FRAGMENT);
    release(&probing);
}

/* It names no segments: at a limit the fragments that were seen stand for the file, and that is said. */
static void an_index_of_indexes_does_not_stand_in_for_fragments(void **state)
{
    const char *path = in_folder("nested.mp4");
    const sc_probe_params params = {.max_bytes = 64 * 1024};
    sc_probe *probe = NULL;
    (void)state;
    make_nested(path, "sidx");
    assert_int_equal(sc_probe_many(&path, 1, &params, &probe, NULL), SC_OK);
    const sc_clip *clip = &probe->clips[0];
    assert_int_equal(clip->source, SC_SOURCE_SAMPLED);
    assert_true(clip->flags & SC_CLIP_LIMITED && clip->flags & SC_CLIP_SAMPLED);
    assert_true(clip->tracks[0].packets > 0);
    assert_true(clip->tracks[0].packets < PARTS * FRAGMENTS_A_PART * SAMPLES_A_FRAGMENT);
    assert_int_equal(clip->tracks[0].packets % SAMPLES_A_FRAGMENT, 0);
    sc_probe_free(&probe);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compact_sizes_are_read),
        cmocka_unit_test(other_tracks_are_counted_and_left_out),
        cmocka_unit_test(a_compressed_index_is_read),
        cmocka_unit_test(samples_of_the_index_and_of_fragments_behind_it_are_one_track),
        cmocka_unit_test(many_fragments_are_all_found),
        cmocka_unit_test(an_index_of_indexes_does_no_harm),
        cmocka_unit_test(an_index_of_indexes_does_not_stand_in_for_fragments),
    };
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, make_folder, remove_clips);
}
