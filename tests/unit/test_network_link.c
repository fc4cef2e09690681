#include "core/core.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <streamcalc/network.h>
#include <string.h>

static void ethernet_payload_is_header_arithmetic(void **state)
{
    static const struct {
        int32_t mtu;
        bool timestamps, vlan;
        int64_t payload_bits_per_s;
    } cases[] = {
        {1500, true, false, 941482444},  /* 94.15 % */
        {9000, true, false, 990042044},  /* 99.00 % */
        {1500, false, false, 949284785}, /* 94.93 % */
        {9000, false, false, 991369772}, /* 99.14 % */
        {1500, true, true, 939040207},   /* 1448 / 1542 */
        {576, true, false, 853420195},   /* 524 / 614 */
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        assert_int_equal(sc_ethernet_payload_bits_per_s(1000000000, cases[i].mtu,
                                                        cases[i].timestamps, cases[i].vlan, false),
                         cases[i].payload_bits_per_s);
    assert_int_equal(sc_ethernet_payload_bits_per_s(1000000000000000, 65535, true, false, false),
                     998627483872935);
    assert_int_equal(sc_ethernet_payload_bits_per_s(1000000000, 575, true, false, false),
                     SC_UNKNOWN);
    assert_int_equal(sc_ethernet_payload_bits_per_s(1000000000, 65536, true, false, false),
                     SC_UNKNOWN);
    assert_int_equal(sc_ethernet_payload_bits_per_s(0, 1500, true, false, false), SC_UNKNOWN);
    assert_int_equal(sc_ethernet_payload_bits_per_s(INT64_MAX, 1500, true, false, false),
                     SC_UNKNOWN);
}

static sc_link parse(const char *text)
{
    sc_link link = {0};
    sc_error error = {0};
    if (sc_link_parse(text, &link, &error) != SC_OK)
        fail_msg("%s: %s", text, error.message);
    return link;
}

static void expressions(void **state)
{
    static const struct {
        const char *text;
        sc_link_kind kind;
        int64_t line, payload;
        int32_t mtu;
        double rtt_s;
    } cases[] = {
        {"1gbe", SC_LINK_ETHERNET, 1000000000, 941482444, 1500, 0},
        {"1GbE", SC_LINK_ETHERNET, 1000000000, 941482444, 1500, 0},
        {"1gbe,mtu=9000", SC_LINK_ETHERNET, 1000000000, 990042044, 9000, 0},
        {"1gbe,rtt=15ms", SC_LINK_ETHERNET, 1000000000, 941482444, 1500, 0.015},
        {"1gbe,timestamps=off", SC_LINK_ETHERNET, 1000000000, 949284785, 1500, 0},
        {"1gbe,vlan,timestamps=on", SC_LINK_ETHERNET, 1000000000, 939040207, 1500, 0},
        {"100mbe", SC_LINK_ETHERNET, 100000000, 94148244, 1500, 0},
        {"2.5gbe", SC_LINK_ETHERNET, 2500000000, 2353706111, 1500, 0},
        {"100gbe,mtu=9000", SC_LINK_ETHERNET, 100000000000, 99004204470, 9000, 0},
        {"wifi4", SC_LINK_WIRELESS, 300000000, 134130000, 0, 0},
        {"wifi5", SC_LINK_WIRELESS, 866666666, 369000000, 0, 0},
        {"wifi6", SC_LINK_WIRELESS, 1200980392, 437000000, 0, 0},
        {"wifi6,phy=2.4Gb/s,share=0.6", SC_LINK_WIRELESS, 2400000000, 1440000000, 0, 0},
        {"wifi6,share=1,rtt=0ms", SC_LINK_WIRELESS, 1200980392, 1200980392, 0, 0},
        {"437Mb/s", SC_LINK_RATE, 437000000, 437000000, 0, 0},
        {"1gbe,ipv6", SC_LINK_ETHERNET, 1000000000, 928478543, 1500, 0}, /* 1428 / 1538 */
        {"1gbe,lacp=2", SC_LINK_ETHERNET, 1000000000, 941482444, 1500, 0},
        {"1gbe,rtt=40ms,window=411720B", SC_LINK_ETHERNET, 1000000000, 82344000, 1500, 0.04},
        {"1gbe,rtt=1ms,window=411720B", SC_LINK_ETHERNET, 1000000000, 941482444, 1500, 0.001},
        {"1gbe,protocol=iscsi", SC_LINK_ETHERNET, 1000000000, 880002284, 1500, 0},
        {"usb3", SC_LINK_BUS, 5000000000, 2953600000, 0, 0},
        {"usb3.1,share=0.5", SC_LINK_BUS, 10000000000, 5000000000, 0, 0},
        {"54.625MB/s,rtt=200us", SC_LINK_RATE, 437000000, 437000000, 0, 0.0002},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_link link = parse(cases[i].text);
        assert_string_equal(link.name, cases[i].text);
        assert_int_equal(link.kind, cases[i].kind);
        assert_int_equal(link.line_bits_per_s, cases[i].line);
        assert_int_equal(link.payload_bits_per_s, cases[i].payload);
        assert_int_equal(link.mtu_bytes, cases[i].mtu);
        assert_true(link.rtt_s == cases[i].rtt_s);
        assert_true(link.source[0]);
        assert_true(link.origin != SC_SOURCE_NONE);
    }
}

static void catalogue_rows_parse_and_have_a_source(void **state)
{
    size_t count;
    const sc_link_row *rows = sc_links(&count);
    (void)state;
    assert_true(count >= 12);
    for (size_t i = 0; i < count; i++) {
        sc_link link = parse(rows[i].name);
        assert_int_equal(link.kind, rows[i].kind);
        assert_true(strlen(rows[i].source) > 20);
        assert_true(rows[i].title[0]);
        assert_true(rows[i].payload_share_low <= rows[i].payload_share_high);
        assert_true(rows[i].payload_share_high < 1);
        assert_int_equal(rows[i].payload_share_low > 0, rows[i].kind != SC_LINK_ETHERNET);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(rows[i].name, rows[k].name);
    }
    assert_string_equal(sc_link_kind_name(SC_LINK_ETHERNET), "ethernet");
    assert_string_equal(sc_link_kind_name(SC_LINK_WIRELESS), "wireless");
    assert_string_equal(sc_link_kind_name(SC_LINK_RATE), "rate");
}

static void errors_name_the_option_and_list_those_that_fit(void **state)
{
    static const struct {
        const char *text, *named, *listed;
        sc_status status;
    } bad[] = {
        {"3gbe", "'3gbe'", "2.5gbe", SC_NOT_FOUND},
        {"wifi8", "'wifi8'", "wifi7", SC_NOT_FOUND},
        {"1gbe,window=64KiB", "window=", "rtt=2ms", SC_INVALID_ARGUMENT},
        {"1gbe,window=0B,rtt=1ms", "window=0B", "1 byte", SC_INVALID_ARGUMENT},
        {"1gbe,lacp=1", "lacp=1", "2 to 256", SC_INVALID_ARGUMENT},
        {"1gbe,protocol=ftp", "protocol=ftp", "smb, nfs, iscsi, afp", SC_INVALID_ARGUMENT},
        {"1gbe,mtu=1000,ipv6", "mtu=1000", "1280", SC_INVALID_ARGUMENT},
        {"usb3,mtu=9000", "mtu=9000", "share=0.6", SC_INVALID_ARGUMENT},
        {"token-ring", "'token-ring'", "437Mb/s", SC_NOT_FOUND},
        {"437", "'437'", "no unit", SC_INVALID_ARGUMENT},
        {"-3Mb/s", "-3Mb/s", "664Mb/s", SC_INVALID_ARGUMENT},
        {"437MB", "437MB", "437Mb/s", SC_NOT_FOUND},
        {"1gbe,", "''", "mtu=9000", SC_INVALID_ARGUMENT},
        {"1gbe,mtu", "mtu", "mtu=9000", SC_INVALID_ARGUMENT},
        {"1gbe,mtu=", "mtu=", "mtu=9000", SC_INVALID_ARGUMENT},
        {"1gbe,mtu=9e3", "mtu=9e3", "mtu=9000", SC_INVALID_ARGUMENT},
        {"1gbe,mtu=500", "mtu=500", "576 to 65535", SC_INVALID_ARGUMENT},
        {"1gbe,jumbo", "jumbo", "mtu=9000, rtt=15ms, vlan, timestamps=off, ipv6, lacp=2",
         SC_INVALID_ARGUMENT},
        {"1gbe,share=0.5", "share=0.5", "mtu=9000", SC_INVALID_ARGUMENT},
        {"wifi6,mtu=9000", "mtu=9000", "rtt=15ms, share=0.6, phy=2.4Gb/s", SC_INVALID_ARGUMENT},
        {"wifi6,share=1.5", "share=1.5", "at most 1", SC_INVALID_ARGUMENT},
        {"wifi6,share=0", "share=0", "at most 1", SC_INVALID_ARGUMENT},
        {"437Mb/s,vlan", "vlan", "rtt=15ms", SC_INVALID_ARGUMENT},
        {"1gbe,rtt=15", "rtt=15", "15ms", SC_INVALID_ARGUMENT},
        {"1gbe,rtt=2min", "rtt=2min", "at most 60 s", SC_INVALID_ARGUMENT},
        {"1gbe,rtt=1ms,rtt=2ms", "rtt=2ms", "twice", SC_INVALID_ARGUMENT},
        {"1gbe,timestamps=no", "timestamps=no", "on nor off", SC_INVALID_ARGUMENT},
        {"wifi6,phy=1b/s", "wifi6", "less than one bit", SC_INVALID_ARGUMENT},
        {"", "no link", "1gbe", SC_INVALID_ARGUMENT},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(bad); i++) {
        sc_link link = {.mtu_bytes = 7};
        sc_error error = {0};
        assert_int_equal(sc_link_parse(bad[i].text, &link, &error), bad[i].status);
        if (!strstr(error.message, bad[i].named) || !strstr(error.message, bad[i].listed))
            fail_msg("%s: %s", bad[i].text, error.message);
        assert_int_equal(link.mtu_bytes, 7);
    }
    sc_link link;
    char longer[400];
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(sc_link_parse(longer, &link, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_link_parse(NULL, &link, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_link_parse("1gbe", NULL, NULL), SC_INVALID_ARGUMENT);
}

static void protocols_have_a_share_and_a_source(void **state)
{
    size_t count;
    const sc_protocol_row *rows = sc_protocols(&count);
    (void)state;
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++) {
        char text[64];
        snprintf(text, sizeof text, "1gbe,protocol=%s", rows[i].name);
        const sc_link link = parse(text);
        assert_string_equal(link.protocol, rows[i].name);
        assert_true(link.protocol_share == rows[i].share_low);
        assert_true(rows[i].share_low > 0 && rows[i].share_low <= rows[i].share_high);
        assert_true(rows[i].share_high <= 1 && strlen(rows[i].source) > 20);
        assert_non_null(strstr(link.source, rows[i].source));
    }
}

static void connections_of_an_aggregate_collide(void **state)
{
    static const struct {
        int64_t connections;
        int32_t members;
        double probability;
    } cases[] = {{0, 2, 0},         {1, 2, 0},    {2, 2, 0.5},
                 {3, 2, 1},         {2, 4, 0.25}, {4, 4, 1 - 24 / 256.0},
                 {1000000, 256, 1}, {2, 1, 1}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        assert_true(fabs(sc_link_collision_probability(cases[i].connections, cases[i].members) -
                         cases[i].probability) < 1e-12);
    assert_true(sc_link_collision_probability(-1, 2) < 0);
    assert_true(sc_link_collision_probability(2, 0) < 0);
    assert_true(sc_link_collision_probability(2, 257) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ethernet_payload_is_header_arithmetic),
        cmocka_unit_test(expressions),
        cmocka_unit_test(catalogue_rows_parse_and_have_a_source),
        cmocka_unit_test(errors_name_the_option_and_list_those_that_fit),
        cmocka_unit_test(protocols_have_a_share_and_a_source),
        cmocka_unit_test(connections_of_an_aggregate_collide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
