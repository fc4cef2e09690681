#include "core/core.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/report.h>
#include <string.h>

#define START(test)                                                                                \
    "{\"start\":{\"version\":\"iperf 3.12\",\"connecting_to\":{\"host\":\"nas\",\"port\":5201},"   \
    "\"test_start\":{\"protocol\":\"TCP\",\"num_streams\":4,\"target_bitrate\":0," test "}},"
#define RECEIVED(bits_per_s) "{\"seconds\":10.0,\"bits_per_second\":" bits_per_s "}"
#define END(sums)            "\"end\":{" sums "}}"

/* A result with an interval of a second of so many megabytes for each number. */
static char *swinging(const double *megabytes, size_t count, double mean_bits_per_s)
{
    enum { ROOM = 65536 };
    char *text = calloc(1, ROOM);
    assert_non_null(text);
    size_t at = (size_t)snprintf(text, ROOM, "%s\"intervals\":[", START("\"reverse\":1"));
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, ROOM - at,
                               "%s{\"sum\":{\"seconds\":1.0,\"bytes\":%.0f,\"omitted\":%s}}",
                               i ? "," : "", megabytes[i] * 1e6, i == 0 ? "true" : "false");
    snprintf(text + at, ROOM - at,
             "],\"end\":{\"sum_received\":{\"seconds\":%zu,\"bits_per_second\":%.0f}}}", count,
             mean_bits_per_s);
    return text;
}

static sc_link import(const char *text)
{
    sc_link link = {0};
    sc_error error = {0};
    if (sc_link_from_json(text, strlen(text), &link, &error) != SC_OK)
        fail_msg("%s\n%s", error.message, text);
    return link;
}

static void what_was_received_is_the_payload(void **state)
{
    (void)state;
    const sc_link link = import(START("\"reverse\":1") "\"intervals\":[]," END(
        "\"streams\":[{\"sender\":{\"min_rtt\":0}},{\"sender\":{\"min_rtt\":412}},"
        "{\"sender\":{\"min_rtt\":390}}],\"sum_sent\":" RECEIVED(
            "960000000") ",\"sum_received\":" RECEIVED("941200000.7")));
    assert_int_equal(link.payload_bits_per_s, 941200000);
    assert_true(fabs(link.rtt_s - 390e-6) < 1e-9);
    assert_int_equal(link.kind, SC_LINK_RATE);
    assert_int_equal(link.origin, SC_SOURCE_IMPORTED);
    assert_int_equal(link.window_count, 0);
    assert_string_equal(link.name, "iperf3 from nas");
    assert_non_null(strstr(link.source, "iperf 3.12"));
    assert_non_null(strstr(link.source, "4 connections"));
    assert_null(strstr(link.source, "-R"));
}

static void the_way_that_was_tested_is_said(void **state)
{
    (void)state;
    sc_link link = import(START("\"reverse\":0") END("\"sum_received\":" RECEIVED("5e8")));
    assert_string_equal(link.name, "iperf3 to nas");
    assert_non_null(strstr(link.source, "-R"));
    /* Of both at once the way that reading goes. */
    link = import(START("\"reverse\":0,\"bidir\":1") END(
        "\"sum_received\":" RECEIVED("5e8") ",\"sum_received_bidir_reverse\":" RECEIVED("4e8")));
    assert_int_equal(link.payload_bits_per_s, 400000000);
    assert_string_equal(link.name, "iperf3 from nas");
}

static void a_link_that_swings_has_windows(void **state)
{
    /* The first second is omitted. */
    static const double swing[] = {5, 50, 50, 20, 30, 50, 50, 50, 40};
    static const double steady[] = {5, 50, 49, 48.5, 50, 51, 50, 50, 49};
    (void)state;
    char *text = swinging(swing, SCI_COUNT(swing), 340e6);
    sc_link link = import(text);
    assert_int_equal(link.window_count, 3);
    assert_true(link.window_s[0] == 1 && link.window_s[1] == 2 && link.window_s[2] == 4);
    assert_int_equal(link.worst_window_bytes[0], 20000000);
    assert_int_equal(link.worst_window_bytes[1], 50000000);
    assert_int_equal(link.worst_window_bytes[2], 150000000);
    free(text);
    text = swinging(steady, SCI_COUNT(steady), 398e6);
    link = import(text);
    assert_int_equal(link.window_count, 0);
    free(text);
}

static void what_is_no_link_is_refused(void **state)
{
    static const struct {
        const char *text, *named;
    } bad[] = {
        {"{\"start\":{\"version\":\"iperf 3.12\"},\"intervals\":[],\"end\":{},\"error\":\"unable to "
         "connect to server\\u001b\"}",
         "unable to connect to server"},
        {"{\"start\":{\"version\":\"iperf 3.12\",\"test_start\":{\"protocol\":\"UDP\"}},\"end\":{}}",
         "without -u"},
        {"{\"start\":{\"version\":\"iperf 3.12\",\"test_start\":{\"protocol\":\"TCP\","
         "\"target_bitrate\":1000}},\"end\":{}}",
         "without -b"},
        {START("\"reverse\":1") END("\"sum_received\":" RECEIVED("0")), "nothing arrived"},
        {START("\"reverse\":1") END("\"sum_received\":" RECEIVED("1e300")), "sum_received"},
        {START("\"reverse\":1") END("\"sum_received\":{\"seconds\":-1,\"bits_per_second\":5}"),
         "sum_received"},
        {START("\"reverse\":1") END("\"sum_received\":\"fast\""), "sum_received"},
        {"{\"start\":[],\"intervals\":{\"iperf\":1},\"end\":3,\"test_start\":0,\"x\":\"iperf\"}",
         "start.test_start"},
        {START("\"reverse\":1") "\"intervals\":[", "not one valid JSON"},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(bad); i++) {
        sc_link link = {.mtu_bytes = 7};
        sc_error error = {0};
        assert_int_equal(sc_link_from_json(bad[i].text, strlen(bad[i].text), &link, &error),
                         SC_INVALID_DATA);
        if (!strstr(error.message, bad[i].named) || strchr(error.message, '\033'))
            fail_msg("%s: %s", bad[i].text, error.message);
        assert_int_equal(link.mtu_bytes, 7);
    }
    assert_int_equal(sc_link_from_iperf3(NULL, 0, NULL, NULL), SC_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_received_is_the_payload),
        cmocka_unit_test(the_way_that_was_tested_is_said),
        cmocka_unit_test(a_link_that_swings_has_windows),
        cmocka_unit_test(what_is_no_link_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
