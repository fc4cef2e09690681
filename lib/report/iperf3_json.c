#include "report/iperf3.h"

#include "report/shared.h"

#include <math.h>
#include <string.h>

static const char WHERE[] = "report.iperf3";

/* A link that stays within it of its mean is steady. */
static const double STEADY_SHARE = 0.05;

static const double RATE_MAX_BITS_PER_S = 1e15;

/* Fewer intervals tell no worst one from a usual one. */
enum { INTERVALS_LEAST = 4 };

/* A result on its way: parts of the document, and the test that counts, of two at once the one towards this
   machine. */
struct result {
    const json_t *start, *test, *intervals, *end;
    bool towards_us;
    bool both;
};

/* ---- the document ---- */

bool sci_iperf3_recognised(const char *text, size_t length)
{
    static const char *const words[] = {"\"iperf", "\"test_start\"", "\"intervals\"", "\"schema\""};
    bool found[SCI_COUNT(words)];
    for (size_t i = 0; i < SCI_COUNT(words); i++)
        found[i] = text && memmem(text, length, words[i], strlen(words[i]));
    return found[0] && (found[1] || found[2]) && !found[3];
}

static sc_status refuse(sc_error *error, const char *reason)
{
    return sci_fail(error, SC_INVALID_DATA, 0, WHERE, NULL, "the result of iperf3 %s", reason);
}

static sc_status parse(const char *text, size_t length, json_t **root, sc_error *error)
{
    json_error_t fault;
    char shown[JSON_ERROR_TEXT_LENGTH];
    if (length > SC_DOCUMENT_BYTES_MAX || sci_document_too_big(text, length))
        return sci_fail(error, SC_LIMIT, 0, WHERE, NULL,
                        "the result of iperf3 is too big: at most 200 MB");
    *root = json_loadb(text, length, 0, &fault);
    if (*root)
        return SC_OK;
    if (json_error_code(&fault) == json_error_out_of_memory)
        return sci_fail(error, SC_NO_MEMORY, 0, WHERE, NULL, "no memory for the result of iperf3");
    return sci_fail(
        error, SC_INVALID_DATA, 0, WHERE, NULL,
        "the result of iperf3 is not one valid JSON document (run iperf3 -J once): line %d, "
        "column %d: %s",
        fault.line, fault.column, sci_shown(shown, sizeof shown, fault.text));
}

/* Negative where there is no such number. */
static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : -1;
}

static const char *text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : "";
}

static sc_status take_parts(const json_t *root, struct result *result, sc_error *error)
{
    char shown[SC_NAME_MAX];
    *result = (struct result){.start = json_object_get(root, "start"),
                              .intervals = json_object_get(root, "intervals"),
                              .end = json_object_get(root, "end")};
    result->test = json_object_get(result->start, "test_start");
    if (json_is_string(json_object_get(root, "error")))
        return sci_fail(error, SC_INVALID_DATA, 0, WHERE, NULL, "iperf3 itself failed: %s",
                        sci_shown(shown, sizeof shown, text_of(root, "error")));
    if (!json_is_object(result->test) || !json_is_object(result->end))
        return refuse(error, "has no start.test_start or no end: run iperf3 -J to its end");
    if (strcmp(text_of(result->test, "protocol"), "TCP") != 0)
        return refuse(error,
                      "is not of TCP, by which files are read: run it without -u and --sctp");
    if (number(result->test, "target_bitrate") > 0)
        return refuse(error, "tells the rate that it was limited to: run it without -b");
    result->both = number(result->test, "bidir") > 0;
    result->towards_us = result->both || number(result->test, "reverse") > 0;
    return SC_OK;
}

/* ---- figures ---- */

static sc_status take_rate(const struct result *result, sc_link *link, double *seconds,
                           sc_error *error)
{
    const json_t *sum = json_object_get(result->end, result->both ? "sum_received_bidir_reverse"
                                                                  : "sum_received");
    const double bits_per_s = number(sum, "bits_per_second");
    *seconds = number(sum, "seconds");
    if (!(bits_per_s >= 1 && bits_per_s <= RATE_MAX_BITS_PER_S) || !(*seconds > 0))
        return refuse(error,
                      "has no rate of what was received (end.sum_received): nothing arrived");
    link->payload_bits_per_s = link->line_bits_per_s = (int64_t)floor(bits_per_s);
    return SC_OK;
}

/* Of an idle moment, as near as a test that fills the link has any. Only the side that sent knows it. */
static double shortest_rtt_s(const struct result *result)
{
    const double us = 1e-6;
    double shortest = 0;
    size_t i;
    const json_t *stream;
    json_array_foreach(json_object_get(result->end, "streams"), i, stream)
    {
        const double rtt = number(json_object_get(stream, "sender"), "min_rtt");
        if (rtt > 0 && rtt < 60e6 && (shortest == 0 || rtt < shortest))
            shortest = rtt;
    }
    return shortest * us;
}

static const json_t *interval_sum(const struct result *result, size_t i)
{
    return json_object_get(json_array_get(result->intervals, i),
                           result->both ? "sum_bidir_reverse" : "sum");
}

/* Bytes of each whole interval that counts, at most room; *interval_s is how long they are. */
static size_t take_intervals(const struct result *result, double *bytes, size_t room,
                             double *interval_s)
{
    size_t count = 0;
    *interval_s = number(interval_sum(result, 0), "seconds");
    for (size_t i = 0; i < json_array_size(result->intervals) && count < room; i++) {
        const json_t *sum = interval_sum(result, i);
        const double seconds = number(sum, "seconds"), read = number(sum, "bytes");
        if (json_is_true(json_object_get(sum, "omitted")) || read < 0 ||
            !(fabs(seconds - *interval_s) <= *interval_s / 10))
            continue;
        bytes[count++] = read;
    }
    return count;
}

static double fewest_bytes(const double *bytes, size_t count, size_t window)
{
    double fewest = HUGE_VAL;
    for (size_t i = 0; i + window <= count; i++) {
        double sum = 0;
        for (size_t k = 0; k < window; k++)
            sum += bytes[i + k];
        fewest = fmin(fewest, sum);
    }
    return fewest;
}

/* Windows of 1, 2, 4, ... intervals, as long as several of them fit the test. */
static void take_windows(const struct result *result, sc_link *link)
{
    enum { ROOM = 4096 };
    double bytes[ROOM], interval_s;
    const size_t count = take_intervals(result, bytes, ROOM, &interval_s);
    const double mean_bytes = (double)link->payload_bits_per_s / 8 * interval_s;
    if (count < INTERVALS_LEAST || !(interval_s > 0) ||
        fewest_bytes(bytes, count, 1) >= (1 - STEADY_SHARE) * mean_bytes)
        return;
    for (size_t window = 1; window <= count / 2 && link->window_count < SC_WINDOWS_MAX;
         window *= 2) {
        const double fewest = fmin(fewest_bytes(bytes, count, window), mean_bytes * (double)window);
        link->window_s[link->window_count] = interval_s * (double)window;
        link->worst_window_bytes[link->window_count++] = (int64_t)floor(fewest);
    }
}

/* ---- words ---- */

static void name_it(const struct result *result, sc_link *link, double seconds)
{
    char version[SC_NAME_MAX], host[SC_NAME_MAX];
    const json_t *peer = json_object_get(result->start, "connecting_to");
    if (!peer)
        peer = json_object_get(result->start, "accepted_connection");
    sci_shown(version, sizeof version, text_of(result->start, "version"));
    sci_shown(host, sizeof host, text_of(peer, "host"));
    snprintf(link->name, sizeof link->name, "iperf3 %s %.80s", result->towards_us ? "from" : "to",
             *host ? host : "elsewhere");
    snprintf(link->source, sizeof link->source, "%.60s: received in %.3g s over %g connections%s",
             *version ? version : "iperf3", seconds, fmax(1, number(result->test, "num_streams")),
             result->towards_us
                 ? ""
                 : "; sent by the machine that ran it: reading goes the other way, which "
                   "iperf3 -R tests");
}

sc_status sc_link_from_iperf3(const char *json, size_t length, sc_link *link, sc_error *error)
{
    json_t *root = NULL;
    struct result result;
    double seconds;
    sc_link found = {.kind = SC_LINK_RATE, .origin = SC_SOURCE_IMPORTED};
    if (!json || !link)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, WHERE, NULL, "a NULL pointer was given");
    sc_status status = parse(json, length, &root, error);
    if (status == SC_OK)
        status = take_parts(root, &result, error);
    if (status == SC_OK)
        status = take_rate(&result, &found, &seconds, error);
    if (status == SC_OK) {
        found.rtt_s = shortest_rtt_s(&result);
        take_windows(&result, &found);
        name_it(&result, &found, seconds);
        *link = found;
    }
    json_decref(root);
    return status;
}
