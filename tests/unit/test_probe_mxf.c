/* MXF: edit units and elements against a reading of every packet. */
#include "probing.h"

#include <fcntl.h>

static const struct recipe clips[] = {
    {"dnxhd.mxf", "-s 1920x1080 -r 25 -c:v dnxhd -b:v 120M -pix_fmt yuv422p -c:a pcm_s24le"},
    {"long.mxf", "-r 25 -c:v mpeg2video -g 12 -bf 2 -b:v 5M -c:a pcm_s16le"},
    {"prores.mxf", "-r 25 -c:v prores_ks -c:a pcm_s24le"},
    {"h264.mxf", "-r 25 -c:v libx264 -pix_fmt yuv420p -g 10 -bf 2 -c:a pcm_s24le"},
    {"atom.mxf", "-an -s 1920x1080 -r 25 -c:v dnxhd -b:v 120M -pix_fmt yuv422p -f mxf_opatom"},
    {"sound.mxf", "-vn -c:a pcm_s24le -ac 1 -f mxf_opatom"},
    {"d10.mxf", "-s 720x576 -r 25 -c:v mpeg2video -pix_fmt yuv422p -intra_vlc 1 -g 1 -b:v 50M "
                "-minrate 50M -maxrate 50M -bufsize 2M -rc_init_occupancy 2M -flags "
                "+ildct+low_delay -non_linear_quant 1 -ps 1 -qmin 1 -qmax 3 -c:a pcm_s16le -ac 2 "
                "-f mxf_d10"},
};

static int set_up(void **state)
{
    (void)state;
    return make_clips(clips, SCI_COUNT(clips));
}

struct packet {
    int64_t pos, size;
    int stream;
    bool key;
};

struct packets {
    struct packet items[4096];
    size_t count;
};

static void read_all(const char *path, struct packets *packets)
{
    AVFormatContext *format = NULL;
    AVPacket *packet = av_packet_alloc();
    packets->count = 0;
    assert_int_equal(avformat_open_input(&format, path, NULL, NULL), 0);
    while (av_read_frame(format, packet) >= 0 && packets->count < SCI_COUNT(packets->items)) {
        packets->items[packets->count++] = (struct packet){
            packet->pos, packet->size, packet->stream_index, packet->flags & AV_PKT_FLAG_KEY};
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    avformat_close_input(&format);
}

static size_t count_of(const struct packets *packets, int stream)
{
    size_t count = 0;
    for (size_t i = 0; i < packets->count; i++)
        count += packets->items[i].stream == stream;
    return count;
}

/* Every packet lies in the unit of its place; units follow each other without a gap of more than a
   partition. */
static void compare_units(struct probing *probing, const struct packets *packets)
{
    const sci_packets *units = &probing->media.packets;
    size_t unit = 0, videos = 0;
    assert_int_equal(units->count, count_of(packets, units->items[0].track));
    for (size_t i = 0; i < packets->count; i++) {
        const struct packet *packet = &packets->items[i];
        while (unit + 1 < units->count && units->items[unit + 1].pos <= packet->pos)
            unit++;
        assert_true(packet->pos >= units->items[unit].pos);
        assert_true(packet->pos + packet->size <=
                    units->items[unit].pos + units->items[unit].bytes);
        if (packet->stream == units->items[0].track) {
            assert_int_equal(unit, videos++);
            assert_int_equal(units->items[unit].key, packet->key);
        }
    }
}

static void every_edit_unit_is_found(void **state)
{
    static struct packets packets;
    (void)state;
    size_t done = 0;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        struct probing probing = {0};
        const char *path = in_folder(clips[i].name);
        if (!is_there(clips[i].name))
            continue;
        print_message("%s\n", clips[i].name);
        collect(&probing, path, false, -1);
        assert_int_equal(probing.status, SC_OK);
        assert_int_equal(probing.media.source, SC_SOURCE_EDIT_UNITS);
        assert_int_equal(probing.media.flags, 0);
        read_all(path, &packets);
        if (strcmp(clips[i].name, "sound.mxf") != 0)
            compare_units(&probing, &packets);
        release(&probing);
        done++;
    }
    if (!done)
        skip();
}

static void a_tone_alone_is_counted_by_its_samples(void **state)
{
    struct probing probing = {0};
    (void)state;
    if (!is_there("sound.mxf"))
        skip();
    collect(&probing, in_folder("sound.mxf"), false, -1);
    assert_int_equal(probing.status, SC_OK);
    assert_int_equal(probing.media.tracks[0].told.bytes, 3 * 48000 * 3);
    release(&probing);
}

static void exactly_every_element_is_found(void **state)
{
    static struct packets packets;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        struct probing probing = {0};
        const char *path = in_folder(clips[i].name);
        if (!is_there(clips[i].name) || strstr(clips[i].arguments, "opatom"))
            continue;
        print_message("%s\n", clips[i].name);
        collect(&probing, path, true, -1);
        assert_int_equal(probing.status, SC_OK);
        assert_int_equal(probing.media.source, SC_SOURCE_HEADER_WALK);
        assert_int_equal(probing.media.flags, 0);
        read_all(path, &packets);
        assert_int_equal(probing.media.packets.count, packets.count);
        for (size_t k = 0; k < packets.count; k++) {
            const sci_packet *found = &probing.media.packets.items[k];
            assert_int_equal(found->track, packets.items[k].stream);
            /* AES3 is taken apart by the demuxer. */
            if (strcmp(clips[i].name, "d10.mxf") != 0 || packets.items[k].stream == 0)
                assert_int_equal(found->bytes, packets.items[k].size);
            assert_in_range(found->pos, packets.items[k].pos, packets.items[k].pos + 25);
        }
        release(&probing);
    }
}

/* An index in the header or the body still tells of the whole; one in the footer is lost. */
static void what_was_cut_off_is_said_so(void **state)
{
    struct stat facts;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        if (stat(in_folder(clips[i].name), &facts) != 0)
            continue;
        for (long part = 3; part < 9; part++) {
            struct probing probing = {0};
            copy_part(clips[i].name, "cut.mxf", facts.st_size * part / 10);
            collect(&probing, in_folder("cut.mxf"), false, -1);
            if (probing.status == SC_OK && probing.media.source != SC_SOURCE_SCAN) {
                print_message("%s %ld: %d\n", clips[i].name, part, (int)probing.media.source);
                assert_true(probing.media.flags & SC_CLIP_TRUNCATED);
            }
            release(&probing);
        }
    }
}

static void damage_does_no_harm(void **state)
{
    struct stat facts;
    unsigned seed = 11;
    (void)state;
    if (stat(in_folder("long.mxf"), &facts) != 0)
        skip();
    for (int round = 0; round < 60; round++) {
        struct probing probing = {0};
        copy_part("long.mxf", "damaged.mxf", facts.st_size);
        int fd = open(in_folder("damaged.mxf"), O_RDWR);
        for (int k = 0; k < 8; k++) {
            uint8_t byte = (uint8_t)((seed = seed * 1103515245u + 12345u) >> 3);
            off_t at = (off_t)(seed / 7 % (k < 4 ? 9000 : (unsigned)facts.st_size));
            if (k == 7)
                at = facts.st_size - 1 - (off_t)(seed / 7 % 3000);
            assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        }
        close(fd);
        collect(&probing, in_folder("damaged.mxf"), round & 1, -1);
        release(&probing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_edit_unit_is_found),
                                       cmocka_unit_test(a_tone_alone_is_counted_by_its_samples),
                                       cmocka_unit_test(exactly_every_element_is_found),
                                       cmocka_unit_test(what_was_cut_off_is_said_so),
                                       cmocka_unit_test(damage_does_no_harm)};
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, set_up, remove_clips);
}
