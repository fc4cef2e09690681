/* MXF: edit units from the index tables, or the headers of all essence elements. */
#include "probe/mxf.h"

#include <stdlib.h>
#include <string.h>

/* Streams are made of the demuxer's tracks in the order of the material package, elements of one kind
   are numbered in that order too: the n-th kind of element is the n-th stream of its kind. */
enum { ELEMENTS_MAX = 64 };

struct element {
    uint8_t number[4]; /* the end of its key: item type, count, element type, number */
    sci_mxf_item item;
    int stream; /* -1: none */
    int64_t packets, bytes;
};

struct elements {
    struct element items[ELEMENTS_MAX];
    size_t count;
};

static enum AVMediaType media_type(sci_mxf_item item)
{
    return item == SCI_MXF_VIDEO   ? AVMEDIA_TYPE_VIDEO
           : item == SCI_MXF_SOUND ? AVMEDIA_TYPE_AUDIO
                                   : AVMEDIA_TYPE_DATA;
}

static int stream_of(const sci_media *media, const struct elements *elements, sci_mxf_item item)
{
    size_t before = 0;
    for (size_t i = 0; i < elements->count; i++)
        before += elements->items[i].item == item;
    for (unsigned i = 0; i < media->format->nb_streams; i++)
        if (media->format->streams[i]->codecpar->codec_type == media_type(item) && before-- == 0)
            return (int)i;
    return -1;
}

static struct element *find_element(const sci_media *media, struct elements *elements,
                                    const sci_klv *klv, sci_mxf_item item)
{
    for (size_t i = 0; i < elements->count; i++)
        if (memcmp(elements->items[i].number, klv->key + 12, 4) == 0)
            return &elements->items[i];
    if (elements->count == ELEMENTS_MAX)
        return NULL;
    struct element *element = &elements->items[elements->count];
    *element = (struct element){.item = item, .stream = stream_of(media, elements, item)};
    memcpy(element->number, klv->key + 12, 4);
    elements->count++;
    return element;
}

static bool is_essence(sci_mxf_item item)
{
    return item == SCI_MXF_VIDEO || item == SCI_MXF_SOUND || item == SCI_MXF_DATA;
}

static bool matches(const sci_media *media)
{
    return sci_demuxer_is(media->format->iformat, "mxf");
}

/* ---- one essence container ---- */

struct container {
    sci_mxf *mxf;
    const sci_mxf_index *index;
    const sci_mxf_partition *first;
    sci_klv element;   /* the first one in it */
    sci_mxf_item item; /* of that */
    bool clip_wrapped; /* that one holds all edit units */
    int stream;
    size_t count; /* edit units */
};

/* A container may be wrapped by the frame, or by the clip: then the index counts from behind the key
   and length of the only element. */
static bool open_container(sci_mxf *mxf, const sci_mxf_index *index, struct container *container)
{
    enum { ITEMS_MAX = 8 };
    *container = (struct container){.mxf = mxf, .index = index, .stream = -1};
    for (size_t i = 0; i < mxf->partition_count && !container->first; i++)
        if (mxf->partitions[i].body_sid == index->body_sid && mxf->partitions[i].body_offset == 0)
            container->first = &mxf->partitions[i];
    if (!container->first || !index->body_sid)
        return false;
    int64_t at = container->first->essence;
    for (int i = 0; i < ITEMS_MAX && sci_mxf_klv_at(mxf, at, &container->element); i++) {
        container->item = sci_mxf_item_of(container->element.key);
        if (container->item == SCI_MXF_ENCRYPTED)
            return false;
        if (is_essence(container->item) || container->item == SCI_MXF_SYSTEM)
            return true;
        at = container->element.end;
    }
    return false;
}

static int64_t unit_offset(const sci_mxf_index *index, size_t k)
{
    return index->unit_bytes > 0 ? (int64_t)k * index->unit_bytes : index->units[k].offset;
}

static void find_wrapping(struct container *container)
{
    const sci_klv *element = &container->element;
    const int64_t second = container->index->unit_bytes > 0   ? container->index->unit_bytes
                           : container->index->unit_count > 1 ? unit_offset(container->index, 1)
                                                              : INT64_MAX;
    /* A frame and its key and length fit their edit unit. */
    container->clip_wrapped = container->item != SCI_MXF_SYSTEM &&
                              element->end - element->start > second;
}

static sc_rational stream_rate(const AVStream *stream)
{
    return (sc_rational){stream->time_base.den, stream->time_base.num};
}

/* Edit units that the file promises; 0 when it does not. */
static int64_t promised_units(const struct container *container)
{
    const AVStream *stream = container->mxf->media->format->streams[container->stream];
    const sc_rational rate = container->index->rate, ticks = stream_rate(stream);
    if (stream->duration <= 0 || rate.num <= 0 || rate.den <= 0 || ticks.num <= 0 || ticks.den <= 0)
        return 0;
    return av_rescale_rnd(stream->duration, rate.num * ticks.den, rate.den * ticks.num,
                          AV_ROUND_NEAR_INF);
}

static int64_t container_bytes(const struct container *container)
{
    int64_t bytes = 0;
    if (container->clip_wrapped)
        return container->element.end - container->element.value;
    for (size_t i = 0; i < container->mxf->partition_count; i++) {
        const sci_mxf_partition *partition = &container->mxf->partitions[i];
        if (partition->body_sid == container->index->body_sid &&
            partition->end > partition->essence)
            bytes += partition->end - partition->essence;
    }
    return bytes;
}

/* False when the index cannot be the whole one. */
static bool count_units(struct container *container)
{
    const sci_mxf_index *index = container->index;
    int64_t promised = promised_units(container);
    if (index->unit_bytes > 0) {
        int64_t count = promised > 0          ? promised
                        : index->duration > 0 ? index->duration
                                              : container_bytes(container) / index->unit_bytes;
        container->count = count > 0 && count <= INT64_MAX / index->unit_bytes ? (size_t)count : 0;
        return container->count > 0;
    }
    container->count = index->unit_count;
    for (size_t k = 1; k < index->unit_count; k++)
        if (index->units[k].offset <= index->units[k - 1].offset)
            return false;
    /* One entry more may mark the end. */
    if (promised > 0 && (int64_t)index->unit_count == promised + 1)
        container->count = (size_t)promised;
    return container->count > 0 && !index->holes && (int64_t)container->count >= promised;
}

/* Where an offset of the container lies in the file, and where the run of essence there ends. */
struct place {
    int64_t pos, end;
};

static struct place place_of(const struct container *container, int64_t offset, size_t *from)
{
    const sci_mxf *mxf = container->mxf;
    const sci_mxf_partition *best = container->first;
    if (container->clip_wrapped)
        return (struct place){container->element.value + offset, container->element.end};
    for (size_t i = *from; i < mxf->partition_count; i++) {
        const sci_mxf_partition *partition = &mxf->partitions[i];
        if (partition->body_sid != container->index->body_sid ||
            partition->essence >= partition->end)
            continue;
        if (partition->body_offset > offset)
            break;
        best = partition;
        *from = i;
    }
    /* Of a file whose partitions are not all known everything follows, up to the footer. */
    return (struct place){best->essence + offset - best->body_offset, mxf->complete ? best->end
                                                                      : mxf->footer ? mxf->footer
                                                                                    : INT64_MAX};
}

static int64_t last_unit_bytes(const struct container *container, struct place place)
{
    const sci_mxf_index *index = container->index;
    if (index->unit_bytes > 0)
        return index->unit_bytes;
    if (index->unit_count > container->count)
        return unit_offset(index, container->count) - unit_offset(index, container->count - 1);
    if (place.end < INT64_MAX)
        return place.end - place.pos;
    const int64_t mean = unit_offset(index, container->count - 1) /
                         (int64_t)(container->count > 1 ? container->count - 1 : 1);
    const int64_t left = container->mxf->media->file.size_bytes - place.pos;
    return mean > 0 && left > mean ? mean : left > 0 ? left : mean;
}

/* A few samples of sound are no unit of their own: some 40 ms of them are read at once. */
static size_t units_a_packet(const struct container *container)
{
    enum { PACKETS_PER_S = 25, RATE_MAX = 1000 };
    const double rate = sc_rational_value(container->index->rate);
    return container->index->unit_bytes > 0 && rate > RATE_MAX ? (size_t)(rate / PACKETS_PER_S) : 1;
}

static bool is_intra_only(const sci_media *media, int stream)
{
    const AVCodecDescriptor *codec = avcodec_descriptor_get(
        media->format->streams[stream]->codecpar->codec_id);
    return codec && codec->props & AV_CODEC_PROP_INTRA_ONLY;
}

/* Ticks of the stream at which edit unit k is due. */
static int64_t unit_time(const struct container *container, size_t k)
{
    const AVStream *stream = container->mxf->media->format->streams[container->stream];
    const sc_rational rate = container->index->rate, ticks = stream_rate(stream);
    if (rate.num <= 0 || rate.den <= 0 || ticks.den <= 0)
        return (int64_t)k;
    return av_rescale((int64_t)k, rate.den * ticks.num, rate.num * ticks.den);
}

static sc_status add_units(const struct container *container)
{
    const sci_mxf_index *index = container->index;
    sci_media *media = container->mxf->media;
    const size_t step = units_a_packet(container);
    /* Units of one size hold no predicted frames. */
    const bool intra = is_intra_only(media, container->stream) || container->item == SCI_MXF_SOUND;
    size_t from = 0;
    if (container->count / step >= SCI_PACKETS_MAX)
        return SC_LIMIT;
    struct place place = place_of(container, unit_offset(index, 0), &from);
    for (size_t k = 0; k < container->count; k += step) {
        size_t next = k + step < container->count ? k + step : container->count;
        struct place following = {0};
        int64_t bytes;
        if (next < container->count) {
            following = place_of(container, unit_offset(index, next), &from);
            bytes = (following.pos < place.end ? following.pos : place.end) - place.pos;
        } else {
            bytes = step > 1 ? (int64_t)(next - k) * index->unit_bytes
                             : last_unit_bytes(container, place);
        }
        if (bytes < 0 || bytes > INT32_MAX)
            return SC_INVALID_DATA;
        sc_status status = sci_packets_add(
            &media->packets,
            (sci_packet){.pos = place.pos,
                         .time = unit_time(container, k),
                         .bytes = (int32_t)bytes,
                         .track = container->stream,
                         .key = intra || index->unit_bytes || index->units[k].key});
        if (status != SC_OK)
            return status;
        if ((k & 0xFFFF) == 0 && sci_file_give_up(&media->file))
            return media->file.cancelled ? SC_CANCELLED : SC_LIMIT;
        place = following;
    }
    return SC_OK;
}

/* ---- what each track has of the units ---- */

/* The elements of the first edit unit: those of a constant size tell the share of their tracks. */
static bool look_into_unit(const struct container *container, int64_t end,
                           struct elements *elements)
{
    enum { ITEMS_MAX = 256 };
    sci_klv klv;
    int64_t at = container->element.start;
    container->mxf->window.ahead = 128;
    for (int i = 0; i < ITEMS_MAX && at < end && sci_mxf_klv_at(container->mxf, at, &klv); i++) {
        sci_mxf_item item = sci_mxf_item_of(klv.key);
        if (klv.end > end)
            return false;
        if (is_essence(item)) {
            struct element *element = find_element(container->mxf->media, elements, &klv, item);
            if (!element)
                return false;
            element->packets++;
            element->bytes += klv.end - klv.value;
            if (item == SCI_MXF_VIDEO && element->packets == 1)
                container->mxf->media->tracks[container->stream].sample_pos = klv.value;
        }
        at = klv.end;
    }
    return at == end;
}

static void tell(sci_media *media, int stream, int64_t packets, int64_t bytes)
{
    sci_media_track *track = &media->tracks[stream];
    track->told.set = true;
    track->told.packets = packets;
    track->told.bytes = bytes;
    track->told.source = SC_SOURCE_ESTIMATED;
}

/* Sound and data take the same in every unit, as good as always; the picture takes the rest. */
static void tell_tracks(const struct container *container, size_t first_packet)
{
    sci_media *media = container->mxf->media;
    const sci_packets *packets = &media->packets;
    const int64_t units = (int64_t)container->count;
    const sci_packet *first = &packets->items[first_packet];
    struct elements elements = {0};
    int64_t all = 0, fixed = 0, used = 0;
    bool looked = look_into_unit(container, first->pos + first->bytes, &elements);
    for (size_t i = first_packet; i < packets->count; i++)
        all += packets->items[i].bytes;
    for (size_t i = 0; looked && i < elements.count; i++) {
        const struct element *element = &elements.items[i];
        used += element->bytes;
        if (element->stream < 0 || element->stream == container->stream)
            continue;
        tell(media, element->stream, units * element->packets, units * element->bytes);
        fixed += units * element->bytes;
    }
    int64_t wrapper = looked ? (first->bytes - used) * units : 0;
    int64_t rest = all - fixed - wrapper;
    tell(media, container->stream, units, looked && rest > 0 ? rest : SC_UNKNOWN);
    for (size_t i = 0; i < media->track_count; i++)
        if (media->tracks[i].played && !media->tracks[i].told.set && !looked)
            tell(media, (int)i, SC_UNKNOWN, SC_UNKNOWN);
}

/* ---- edit units ---- */

static int unclaimed(const struct container *container, enum AVMediaType type)
{
    const sci_media *media = container->mxf->media;
    for (unsigned i = 0; i < media->format->nb_streams; i++)
        if (media->format->streams[i]->codecpar->codec_type == type &&
            !(container->mxf->claimed & UINT64_C(1) << (i & 63)))
            return (int)i;
    return -1;
}

/* Several containers of one kind follow the order of the streams. Where frames are interleaved the
   units are the picture's, also when the sound of a frame comes first. */
static bool choose_stream(struct container *container)
{
    container->stream = -1;
    if (container->item != SCI_MXF_SOUND || !container->clip_wrapped)
        container->stream = unclaimed(container, AVMEDIA_TYPE_VIDEO);
    if (container->stream < 0)
        container->stream = unclaimed(container, AVMEDIA_TYPE_AUDIO);
    if (container->stream >= 0)
        container->mxf->claimed |= UINT64_C(1) << (container->stream & 63);
    return container->stream >= 0;
}

/* Some units must begin with what units begin with. */
static bool verify_units(const struct container *container, size_t first_packet)
{
    const sci_packets *packets = &container->mxf->media->packets;
    const size_t count = packets->count - first_packet;
    const size_t samples[] = {0, count / 2, count - 1};
    sci_klv klv;
    if (container->clip_wrapped)
        return packets->items[first_packet].pos >= container->element.value;
    for (size_t i = 0; i < SCI_COUNT(samples); i++) {
        int64_t pos = packets->items[first_packet + samples[i]].pos;
        if (pos >= container->mxf->media->file.size_bytes)
            continue;
        if (!sci_mxf_klv_at(container->mxf, pos, &klv) ||
            sci_mxf_item_of(klv.key) != container->item)
            return false;
    }
    return true;
}

static sc_status collect_container(sci_mxf *mxf, const sci_mxf_index *index, bool *usable)
{
    struct container container;
    const size_t first = mxf->media->packets.count;
    *usable = open_container(mxf, index, &container);
    if (!*usable)
        return SC_OK;
    find_wrapping(&container);
    if (!choose_stream(&container))
        return SC_OK;
    *usable = count_units(&container) && (container.clip_wrapped || !mxf->media->exact);
    if (!*usable)
        return SC_OK;
    sc_status status = add_units(&container);
    if (status != SC_OK)
        return status;
    mxf->window.ahead = 64;
    *usable = verify_units(&container, first);
    if (*usable && !container.clip_wrapped)
        tell_tracks(&container, first);
    if (container.clip_wrapped)
        mxf->media->tracks[container.stream].told.set = units_a_packet(&container) > 1;
    if (mxf->media->tracks[container.stream].told.set && container.clip_wrapped) {
        tell(mxf->media, container.stream, SC_UNKNOWN,
             (int64_t)container.count * index->unit_bytes);
        mxf->media->tracks[container.stream].told.source = SC_SOURCE_EDIT_UNITS;
    }
    return SC_OK;
}

static void note_truncation(sci_media *media)
{
    int64_t end = 0;
    for (size_t i = 0; i < media->packets.count; i++)
        if (media->packets.items[i].pos + media->packets.items[i].bytes > end)
            end = media->packets.items[i].pos + media->packets.items[i].bytes;
    if (end <= media->file.size_bytes)
        return;
    media->flags |= SC_CLIP_TRUNCATED;
    sci_finding_add(&media->findings, "truncated", SC_SEVERITY_WARNING,
                    "the file ends %lld bytes before its index does: an unfinished copy; rates are "
                    "those of the whole clip",
                    (long long)(end - media->file.size_bytes));
}

static void note_cut(sci_media *media, const char *what)
{
    if (media->flags & SC_CLIP_TRUNCATED)
        return;
    media->flags |= SC_CLIP_TRUNCATED;
    sci_finding_add(&media->findings, "truncated", SC_SEVERITY_WARNING,
                    "%s: an unfinished copy or recording; figures are of the part that is there",
                    what);
}

static bool is_open(const sci_mxf *mxf)
{
    return mxf->partition_count > 0 && mxf->partitions[0].open;
}

static const char unfinished[] = "the file was never finished (no footer)";

/* What the descriptors of these codecs say of raster and profile is not enough. */
static bool lacks_facts(const sci_media *media)
{
    for (size_t i = 0; i < media->track_count; i++) {
        const AVCodecParameters *codec = media->format->streams[i]->codecpar;
        if (media->tracks[i].kind == SC_TRACK_VIDEO &&
            (codec->width <= 0 || codec->codec_id == AV_CODEC_ID_NONE ||
             codec->codec_id == AV_CODEC_ID_H264 || codec->codec_id == AV_CODEC_ID_MPEG2VIDEO))
            return true;
    }
    return false;
}

/* The first frame has it. */
static sc_status inform(sci_media *media, sc_error *error)
{
    media->inform_bytes = 1 << 20;
    return media->packets.count && lacks_facts(media) ? sci_media_inform(media, error) : SC_OK;
}

static sc_status fail(sci_media *media, sc_status status, sc_error *error)
{
    if (status == SC_CANCELLED || (status == SC_LIMIT && sci_file_give_up(&media->file)))
        return sci_file_gave_up(&media->file, "probe.mxf", error);
    return sci_fail(error, status, 0, "probe.mxf", media->file.path,
                    status == SC_LIMIT ? "more edit units than are kept" : "out of memory");
}

static sc_status collect_units(sci_media *media, sc_error *error)
{
    sci_mxf *mxf = calloc(1, sizeof *mxf);
    if (!mxf)
        return fail(media, SC_NO_MEMORY, error);
    mxf->media = media;
    sci_file_expect_jumps(&media->file);
    sc_status status = SC_OK;
    bool usable = sci_mxf_find_partitions(mxf) && sci_mxf_read_indexes(mxf);
    const bool has_index = mxf->index_count > 0, endless = !mxf->complete && is_open(mxf);
    if (usable)
        sci_mxf_read_picture(mxf);
    for (size_t i = 0; usable && status == SC_OK && i < mxf->index_count; i++)
        status = collect_container(mxf, &mxf->indexes[i], &usable);
    sci_mxf_close(mxf);
    free(mxf);
    if (status == SC_INVALID_DATA)
        status = SC_OK, usable = false;
    if (status != SC_OK)
        return fail(media, status, error);
    if (!usable) {
        media->packets.count = 0;
        for (size_t i = 0; i < media->track_count; i++)
            media->tracks[i].told.set = false;
        if (has_index && !media->exact)
            media->flags |= SC_CLIP_PARTIAL_INDEX;
        return SC_OK;
    }
    note_truncation(media);
    if (endless && media->packets.count)
        note_cut(media, unfinished);
    return inform(media, error);
}

static bool check(sci_media *media)
{
    return media->packets.count > 0;
}

/* ---- without an index: the key and length of every element ---- */

struct walk {
    sci_mxf mxf;
    struct elements elements;
    bool usable;
    const char *cut; /* why it ended before its end; NULL: it did not */
    bool footer;
};

/* Ticks at which the n-th element of a stream is due: one for each frame of the picture. */
static int64_t element_time(const sci_media *media, int stream, int64_t n)
{
    const AVStream *own = media->format->streams[stream], *picture = own;
    for (unsigned i = 0; i < media->format->nb_streams; i++)
        if (media->format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO) {
            picture = media->format->streams[i];
            break;
        }
    return av_rescale_q(n, picture->time_base, own->time_base);
}

static sc_status add_element(struct walk *walk, const sci_klv *klv, sci_mxf_item item)
{
    sci_media *media = walk->mxf.media;
    struct element *element = find_element(media, &walk->elements, klv, item);
    const int64_t bytes = klv->end - klv->value;
    if (!element || element->stream < 0)
        return SC_OK;
    if (bytes > INT32_MAX) {
        walk->usable = false;
        return SC_OK;
    }
    return sci_packets_add(
        &media->packets,
        (sci_packet){.pos = klv->value,
                     .time = element_time(media, element->stream, element->packets++),
                     .bytes = (int32_t)bytes,
                     .duration = (int32_t)element_time(media, element->stream, 1),
                     .track = element->stream,
                     .key = item == SCI_MXF_SOUND || is_intra_only(media, element->stream)});
}

static bool is_blank(sci_mxf *mxf, int64_t offset)
{
    const int64_t left = mxf->media->file.size_bytes - offset;
    const size_t size = left < SCI_WINDOW_BYTES ? (size_t)left : SCI_WINDOW_BYTES;
    const uint8_t *bytes = sci_window_at(&mxf->window, offset, size);
    return bytes && bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* The walk came to a place where no key is. Copies that are made in place end in zeros at first. */
static void look_at_end(struct walk *walk, int64_t at)
{
    const sci_file *file = &walk->mxf.media->file;
    if (file->limited || file->os_errno || file->cancelled)
        return;
    if (at + SCI_MXF_KLV_BYTES_MAX > file->size_bytes)
        walk->cut = at < file->size_bytes                  ? "the file ends within a key"
                    : is_open(&walk->mxf) && !walk->footer ? unfinished
                                                           : NULL;
    else if (is_blank(&walk->mxf, at))
        walk->cut = "the rest of the file is empty";
    else
        walk->usable = false;
}

static sc_status walk_elements(struct walk *walk)
{
    sci_media *media = walk->mxf.media;
    sc_status status = SC_OK;
    int64_t at = walk->mxf.partitions[0].essence, elements = 0;
    sci_klv klv;
    while (walk->usable && !walk->cut && status == SC_OK) {
        if (!sci_mxf_klv_at(&walk->mxf, at, &klv)) {
            look_at_end(walk, at);
            break;
        }
        sci_mxf_item item = sci_mxf_item_of(klv.key);
        if (klv.end > media->file.size_bytes) {
            walk->cut = "the file ends within a frame";
            break;
        }
        at = klv.end;
        walk->footer = walk->footer || sci_mxf_is_footer(klv.key);
        if (item == SCI_MXF_PARTITION && !sci_mxf_skip_partition(&walk->mxf, &klv, &at))
            break;
        if (item == SCI_MXF_ENCRYPTED)
            walk->usable = false;
        if (is_essence(item)) {
            status = add_element(walk, &klv, item);
            int64_t apart = at / ++elements / 128;
            walk->mxf.window.ahead = (size_t)(apart < 64 ? 64 : apart < 512 ? apart : 512);
        }
        if (sci_file_give_up(&media->file))
            break;
    }
    return status;
}

/* One element for a whole clip is no frame. */
static bool holds_whole_clips(const struct walk *walk)
{
    for (size_t i = 0; i < walk->elements.count; i++) {
        const struct element *element = &walk->elements.items[i];
        if (element->packets == 1 && element->stream >= 0 && is_essence(element->item) &&
            walk->mxf.media->format->streams[element->stream]->duration >
                element_time(walk->mxf.media, element->stream, 2))
            return true;
    }
    return false;
}

static bool needs_keys(const sci_media *media)
{
    for (size_t i = 0; i < media->packets.count; i++)
        if (!media->packets.items[i].key)
            return true;
    return false;
}

/* Elements do not say which pictures need no other: the index does, in stored order. */
static void take_keys(sci_mxf *mxf)
{
    const sci_packets *packets = &mxf->media->packets;
    const sci_mxf_index *index = NULL;
    if (!needs_keys(mxf->media) || !sci_mxf_read_indexes(mxf))
        return;
    for (size_t i = 0; i < mxf->index_count; i++)
        if (mxf->indexes[i].unit_count > 0) {
            if (index)
                return;
            index = &mxf->indexes[i];
        }
    if (!index || index->holes)
        return;
    for (size_t i = 0, k = 0; i < packets->count && k < index->unit_count; i++)
        if (mxf->media->tracks[packets->items[i].track].kind == SC_TRACK_VIDEO)
            packets->items[i].key = index->units[k++].key;
}

static sc_status collect_elements(sci_media *media, sc_error *error)
{
    struct walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return fail(media, SC_NO_MEMORY, error);
    walk->mxf.media = media;
    sci_file_expect_jumps(&media->file);
    walk->usable = sci_mxf_find_partitions(&walk->mxf);
    walk->mxf.window.ahead = 64;
    sc_status status = walk->usable ? walk_elements(walk) : SC_OK;
    const bool limited = media->file.limited || media->file.os_errno;
    walk->usable = walk->usable && (walk->cut || limited || !holds_whole_clips(walk));
    if (!walk->usable)
        media->packets.count = 0;
    if (walk->usable && !limited && status == SC_OK)
        sci_mxf_read_picture(&walk->mxf);
    if (media->exact && walk->usable && status == SC_OK)
        take_keys(&walk->mxf);
    const char *cut = walk->cut;
    sci_mxf_close(&walk->mxf);
    free(walk);
    if (status != SC_OK || media->file.cancelled)
        return fail(media, status == SC_OK ? SC_CANCELLED : status, error);
    if (media->packets.count == 0)
        return SC_OK;
    if (!media->exact)
        media->flags |= SC_CLIP_NO_INDEX;
    if (limited) {
        status = sci_media_note_limit(media);
    } else if (cut) {
        note_cut(media, cut);
    }
    if (status != SC_OK)
        return fail(media, status, error);
    return inform(media, error);
}

const sci_strategy sci_strategy_mxf_units = {.source = SC_SOURCE_EDIT_UNITS,
                                             .times_are_the_containers = true,
                                             .positions_are_readable = true,
                                             .matches = matches,
                                             .collect = collect_units,
                                             .check = check};

const sci_strategy sci_strategy_mxf_walk = {.source = SC_SOURCE_HEADER_WALK,
                                            .times_are_the_containers = true,
                                            .positions_are_readable = true,
                                            .finds_only_what_is_there = true,
                                            .matches = matches,
                                            .collect = collect_elements,
                                            .check = check};
