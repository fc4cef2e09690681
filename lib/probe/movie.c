/* MOV and MP4: size, position and time of every sample from the index, read with the fewest reads.
   The demuxer is shown a copy of the header without the tables of samples: it tells codecs, and
   neither builds an index of its own nor trusts what a damaged one counts. */
#include "probe/movie.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>

enum {
    HOPS_MAX = 10000,
    HEAD_BYTES = 32 * 1024,      /* read of every file */
    LOOK_BYTES = 64 * 1024,      /* read where a box begins that may be the index */
    FIRST_HOPS = 4,              /* it is one of the first few; later ones are looked at for less */
    TYPE_BYTES_MAX = 4096,       /* of the ftyp box */
    CHILD_BYTES_MAX = 64 * 1024, /* of a box within the moov box that is no track */
    INDEX_BYTES_MAX = 512 << 20,
    COMPRESSED_CHILDREN_MAX = 8
};

/* ---- where the index is ---- */

struct look {
    sci_media *media;
    sci_file *file;
    uint8_t *buffer;
    const uint8_t *bytes; /* the last that were read: the head of the file, or in the buffer */
    int64_t size;
    sci_file_box type; /* ftyp; bytes 0: none */
    uint8_t type_bytes[TYPE_BYTES_MAX];
    sci_file_box moov;
};

static bool begins_a_movie(const sci_file_box *box)
{
    static const char first[][5] = {"ftyp", "moov", "mdat", "wide", "free", "skip",
                                    "pnot", "uuid", "styp", "sidx", "moof", "jP  "};
    for (size_t i = 0; i < SCI_COUNT(first); i++)
        if (sci_file_box_is(box, first[i]))
            return true;
    return false;
}

static void note_box(struct look *look, const sci_file_box *box)
{
    if (sci_file_box_is(box, "mdat"))
        look->media->seen.media_bytes += box->bytes;
    else if (sci_file_box_is(box, "moof"))
        look->media->seen.fragments++;
    else if (sci_file_box_is(box, "moov"))
        look->moov = *box;
    else if (sci_file_box_is(box, "ftyp") && box->bytes <= TYPE_BYTES_MAX &&
             box->bytes <= look->size) {
        look->type = *box;
        memcpy(look->type_bytes, look->bytes, (size_t)box->bytes);
    }
}

static bool read_head(sci_file *file)
{
    file->head = malloc(HEAD_BYTES);
    const int64_t got = file->head ? sci_file_read_at(file, 0, file->head, HEAD_BYTES) : -1;
    file->head_bytes = got > 0 ? got : 0;
    return got > 0;
}

static void look_at(struct look *look, int64_t offset, int hop)
{
    const sci_file *file = look->file;
    look->bytes = look->buffer;
    if (offset + SCI_BOX_HEADER_BYTES <= file->head_bytes) {
        look->bytes = file->head + offset;
        look->size = file->head_bytes - offset;
    } else {
        look->size = sci_file_read_at(look->file, offset, look->buffer,
                                      hop < FIRST_HOPS ? LOOK_BYTES : SCI_BOX_HEADER_BYTES);
    }
}

/* Goes from box to box; false when there is no moov box. */
static bool find_moov(struct look *look)
{
    int64_t offset = 0;
    for (int hop = 0; hop < HOPS_MAX && offset < look->file->size_bytes; hop++) {
        sci_file_box box;
        look_at(look, offset, hop);
        if (look->size < 0 ||
            !sci_file_box_parse(look->file, offset, look->bytes, (size_t)look->size, &box) ||
            (hop == 0 && !begins_a_movie(&box)))
            return false;
        note_box(look, &box);
        if (sci_file_box_is(&box, "moov")) {
            look->media->seen.moov_offset = offset;
            look->media->seen.moov_bytes = box.bytes;
            return true;
        }
        offset += box.bytes;
    }
    return false;
}

/* ---- reading it ---- */

/* From what was read at the moov box, and from the file where that ends. */
static bool get(const struct look *look, int64_t offset, uint8_t *bytes, int64_t size)
{
    const int64_t at = offset - look->moov.offset, left = look->size - at;
    const int64_t known = left <= 0 ? 0 : left < size ? left : size;
    memcpy(bytes, look->bytes + at, (size_t)known);
    return sci_file_read_all(look->file, offset + known, bytes + known, size - known);
}

/* Tracks, and what is small: metadata can be as large as they are. */
static bool is_wanted(const sci_file_box *box)
{
    return box->bytes <= CHILD_BYTES_MAX || sci_file_box_is(box, "trak") ||
           sci_file_box_is(box, "mvex");
}

/* How large a compressed index says it is without compression: the demuxer trusts it. */
static int64_t unpacked_bytes(const struct look *look, const sci_file_box *compressed)
{
    uint8_t bytes[SCI_BOX_HEADER_BYTES + 4];
    const int64_t end = compressed->offset + compressed->bytes;
    int64_t offset = compressed->offset + compressed->header_bytes;
    for (int i = 0; i < COMPRESSED_CHILDREN_MAX && end - offset >= (int64_t)sizeof bytes; i++) {
        sci_file_box box;
        if (!get(look, offset, bytes, sizeof bytes) ||
            !sci_file_box_parse(look->file, offset, bytes, sizeof bytes, &box))
            return 0;
        if (sci_file_box_is(&box, "cmvd"))
            return AV_RB32(bytes + box.header_bytes);
        offset += box.bytes;
    }
    return 0;
}

/* Boxes within the moov box that are wanted, one behind the other. With each of them comes the header
   of the next one, which spares a round trip. Where they end, or NULL. */
static uint8_t *load_children(const struct look *look, uint8_t *to)
{
    const int64_t end = look->moov.offset + look->moov.bytes;
    int64_t offset = look->moov.offset + look->moov.header_bytes, have = 0;
    while (end - offset >= 8) {
        const int64_t header = end - offset < SCI_BOX_HEADER_BYTES ? end - offset
                                                                   : SCI_BOX_HEADER_BYTES;
        sci_file_box box;
        if ((have < header && !get(look, offset, to, header)))
            return NULL;
        if (!sci_file_box_parse(look->file, offset, to, (size_t)header, &box))
            break;
        const int64_t bytes = box.bytes < end - offset ? box.bytes : end - offset;
        if (sci_file_box_is(&box, "cmov"))
            look->media->seen.unpacked_bytes = unpacked_bytes(look, &box);
        have = header;
        if (is_wanted(&box)) {
            int64_t most = end - offset - bytes;
            most = bytes + (most < SCI_BOX_HEADER_BYTES ? most : SCI_BOX_HEADER_BYTES);
            if (most > have && !get(look, offset + have, to + have, most - have))
                return NULL;
            to += bytes;
            have = (most > have ? most : have) - bytes;
        } else {
            have = 0;
        }
        offset += bytes;
    }
    return to;
}

/* ftyp and moov, one behind the other. */
static bool load(const struct look *look, sci_movie *movie)
{
    const sci_file_box *moov = &look->moov;
    if (moov->bytes > INDEX_BYTES_MAX || moov->bytes > look->file->size_bytes - moov->offset)
        return false;
    movie->box = *moov;
    movie->room = (size_t)(look->type.bytes + moov->bytes + SCI_BOX_HEADER_BYTES);
    if (!sci_file_take_memory(look->file, movie->room))
        return false;
    movie->bytes = sci_big_alloc(movie->room, 1);
    if (!movie->bytes)
        return false;
    memcpy(movie->bytes, look->type_bytes, (size_t)look->type.bytes);
    movie->moov = movie->bytes + look->type.bytes;
    uint8_t *end = load_children(look, movie->moov + 8);
    if (!end)
        return false;
    AV_WB32(movie->moov, (uint32_t)(end - movie->moov));
    memcpy(movie->moov + 4, "moov", 4);
    movie->size = (size_t)(end - movie->bytes);
    return true;
}

static void discard(sci_file *file, sci_movie *movie)
{
    if (movie->bytes)
        sci_file_give_memory(file, movie->room);
    free(movie->bytes);
    movie->bytes = NULL;
}

bool sci_movie_find(sci_media *media)
{
    sci_movie *movie = sci_arena_alloc(media->arena, 1, sizeof *movie);
    struct look look = {.media = media, .file = &media->file};
    look.buffer = movie ? malloc(LOOK_BYTES) : NULL;
    bool found = look.buffer && read_head(&media->file) && find_moov(&look) && load(&look, movie) &&
                 sci_movie_parse(movie, media->arena);
    free(look.buffer);
    if (!found) {
        if (movie)
            discard(&media->file, movie);
        return false;
    }
    media->movie = movie;
    media->file.shown = movie->bytes;
    media->file.view_bytes = (int64_t)movie->size;
    return true;
}

void sci_movie_forget(sci_media *media)
{
    if (!media->movie)
        return;
    discard(&media->file, media->movie);
    media->movie = NULL;
    media->file.shown = NULL;
    media->file.view_bytes = media->file.size_bytes;
}

/* ---- what the demuxer made of it ---- */

static bool is_taken(const sci_movie *movie, int stream)
{
    for (size_t i = 0; i < movie->track_count; i++)
        if (movie->tracks[i].stream == stream)
            return true;
    return false;
}

static int stream_of(const sci_media *media, uint32_t id)
{
    for (unsigned i = 0; i < media->format->nb_streams; i++) {
        const AVStream *stream = media->format->streams[i];
        if ((uint32_t)stream->id == id && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC) &&
            !is_taken(media->movie, (int)i))
            return (int)i;
    }
    return -1;
}

/* From the table of times: what the demuxer would have taken from it. */
static void tell_rates(AVStream *stream, const sci_movie_track *track)
{
    uint64_t frames = 0, ticks = 0;
    uint32_t first;
    sci_movie_count_times(track, &frames, &ticks, &first);
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO || !track->ticks_per_s)
        return;
    if (ticks > 0 && frames > 0 && frames < INT32_MAX)
        av_reduce(&stream->avg_frame_rate.num, &stream->avg_frame_rate.den,
                  (int64_t)track->ticks_per_s * (int64_t)frames, (int64_t)ticks, INT32_MAX);
    if (first > 0)
        av_reduce(&stream->r_frame_rate.num, &stream->r_frame_rate.den, track->ticks_per_s, first,
                  INT32_MAX);
}

static bool lacks_facts(const AVStream *stream)
{
    const AVCodecParameters *codec = stream->codecpar;
    return codec->codec_type == AVMEDIA_TYPE_VIDEO &&
           (codec->width <= 0 || (codec->codec_id == AV_CODEC_ID_NONE && codec->codec_tag == 0));
}

bool sci_movie_match_streams(sci_media *media)
{
    sci_movie *movie = media->movie;
    bool enough = true;
    for (size_t i = 0; i < movie->track_count; i++)
        movie->tracks[i].stream = -1;
    for (size_t i = 0; i < movie->track_count; i++) {
        sci_movie_track *track = &movie->tracks[i];
        track->stream = stream_of(media, track->id);
        if (track->stream < 0)
            continue;
        AVStream *stream = media->format->streams[track->stream];
        tell_rates(stream, track);
        enough = enough && (!track->samples || !lacks_facts(stream));
    }
    return enough;
}

/* ---- the strategy ---- */

static bool matches(const sci_media *media)
{
    return media->movie;
}

static void note_external(sci_media *media)
{
    const sci_movie *movie = media->movie;
    size_t found = 0;
    for (size_t i = 0; i < movie->track_count; i++) {
        const sci_movie_track *track = &movie->tracks[i];
        if (!track->elsewhere || track->stream < 0 || !media->tracks[track->stream].played)
            continue;
        media->tracks[track->stream].external = true;
        found++;
    }
    if (found)
        sci_finding_add(&media->findings, "external-media", SC_SEVERITY_WARNING,
                        "a reference movie: the media of %zu tracks lies in other files, which "
                        "were not opened; figures are what the index says of it",
                        found);
}

static void note_undescribed(sci_media *media)
{
    const size_t found = media->movie->undescribed;
    if (found)
        sci_finding_add(&media->findings, "bare-tracks", SC_SEVERITY_NOTE,
                        "%zu %s no sample description, and cannot be played: left out", found,
                        found == 1 ? "track has" : "tracks have");
}

static sc_status explain_nothing(const sci_media *media, sc_error *error)
{
    return media->movie->fragmented
               ? sci_fail(error, SC_INVALID_DATA, 0, "probe.index", media->file.path,
                          "an initialisation segment: it describes %zu tracks, but their media "
                          "lies in other files: give a file that holds the fragments",
                          media->movie->track_count)
               : sci_fail(error, SC_INVALID_DATA, 0, "probe.index", media->file.path,
                          "the index (moov) names no samples of video or sound");
}

static sc_status collect(sci_media *media, sc_error *error)
{
    sci_movie *movie = media->movie;
    note_undescribed(media);
    note_external(media);
    sc_status status = sci_movie_samples(media, error);
    if (status == SC_OK && movie->fragmented)
        status = sci_movie_fragments(media, error);
    if (status == SC_OK && media->packets.count == 0)
        status = explain_nothing(media, error);
    sci_movie_forget(media);
    return status;
}

static bool check(sci_media *media)
{
    sci_index_note_end(media);
    return true;
}

const sci_strategy sci_strategy_movie = {.source = SC_SOURCE_FILE_INDEX,
                                         .samples_may_share_bytes = true,
                                         .times_are_the_containers = true,
                                         .positions_are_readable = true,
                                         .matches = matches,
                                         .collect = collect,
                                         .check = check};
