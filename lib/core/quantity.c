#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a unit is worth in the quantity's own unit (bits a second, bytes, seconds). */
struct unit {
    const char *name;
    double factor;
};

static const struct unit prefixes[] = {
    {"", 1},     {"k", 1e3},   {"K", 1e3},      {"M", 1e6},         {"G", 1e9},
    {"T", 1e12}, {"Ki", 1024}, {"Mi", 1048576}, {"Gi", 1073741824}, {"Ti", 1099511627776}};
static const struct unit rate_units[] = {{"b/s", 1}, {"B/s", 8}, {"bit/s", 1},  {"bits/s", 1},
                                         {"bps", 1}, {"Bps", 8}, {"byte/s", 8}, {"bytes/s", 8}};
static const struct unit byte_units[] = {{"B", 1}, {"byte", 1}, {"bytes", 1}};
static const struct unit time_units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3},
                                         {"s", 1},     {"min", 60},  {"h", 3600}};

static const double POWERS_OF_TEN[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                       1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};

bool sci_parse_decimal(const char **text, int64_t *mantissa, int *decimals)
{
    const char *c = *text;
    int digits = 0;
    *mantissa = 0;
    *decimals = 0;
    for (bool fraction = false; (*c >= '0' && *c <= '9') || (*c == '.' && !fraction); c++) {
        if (*c == '.') {
            fraction = true;
            continue;
        }
        if (*mantissa > 0 || *c != '0')
            digits++;
        if (digits > 18 || (fraction && *decimals == 18))
            return false;
        *mantissa = *mantissa * 10 + (*c - '0');
        *decimals += fraction;
    }
    if (c == *text || (c == *text + 1 && **text == '.'))
        return false;
    *text = c;
    return true;
}

/* With prefixed false the unit stands alone ("ms"), else behind any prefix ("MB/s"). */
static bool unit_factor(const char *text, const struct unit *units, size_t count, bool prefixed,
                        double *factor)
{
    for (size_t p = 0; p < (prefixed ? SCI_COUNT(prefixes) : 1); p++) {
        size_t length = strlen(prefixes[p].name);
        if (strncmp(text, prefixes[p].name, length) != 0)
            continue;
        for (size_t u = 0; u < count; u++)
            if (strcmp(text + length, units[u].name) == 0) {
                *factor = prefixes[p].factor * units[u].factor;
                return true;
            }
    }
    return false;
}

static sc_status parse_quantity(const char *text, const char *what, const char *example,
                                const struct unit *units, size_t count, bool prefixed,
                                double *value, sc_error *error)
{
    const char *rest = text;
    int64_t mantissa;
    int decimals;
    double factor;
    if (!text || !sci_parse_decimal(&rest, &mantissa, &decimals))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "core.parse", NULL,
                        "'%s' is not a %s; write it like %s", text ? text : "", what, example);
    while (*rest == ' ')
        rest++;
    if (!*rest)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "core.parse", NULL,
                        "the %s '%s' has no unit; write it like %s", what, text, example);
    if (!unit_factor(rest, units, count, prefixed, &factor))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "core.parse", NULL,
                        "'%s' is not a unit of a %s; write it like %s", rest, what, example);
    /* One rounding for a factor below 1, none before the division else: 0.35s is 0.35. */
    if (factor < 1)
        *value = (double)mantissa / (POWERS_OF_TEN[decimals] * round(1 / factor));
    else
        *value = (double)mantissa * factor / POWERS_OF_TEN[decimals];
    return SC_OK;
}

sc_status sc_parse_rate(const char *text, int64_t *bits_per_s, sc_error *error)
{
    double value;
    sc_status status = parse_quantity(text, "rate", "83MB/s or 664Mb/s", rate_units,
                                      SCI_COUNT(rate_units), true, &value, error);
    if (status != SC_OK)
        return status;
    if (value < 0.5 || value > 1e15)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "core.parse", NULL,
                        "the rate '%s' is out of range: more than 0, at most 10^15 bits a second",
                        text);
    *bits_per_s = llround(value);
    return SC_OK;
}

sc_status sc_parse_bytes(const char *text, int64_t *bytes, sc_error *error)
{
    double value;
    sc_status status = parse_quantity(text, "size", "256KiB or 4GB", byte_units,
                                      SCI_COUNT(byte_units), true, &value, error);
    if (status != SC_OK)
        return status;
    if (value > 9e18)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "core.parse", NULL,
                        "the size '%s' is out of range: at most 9 * 10^18 bytes", text);
    *bytes = llround(value);
    return SC_OK;
}

sc_status sc_parse_seconds(const char *text, double *seconds, sc_error *error)
{
    return parse_quantity(text, "time", "15ms or 1s", time_units, SCI_COUNT(time_units), false,
                          seconds, error);
}

/* The decimals by which NTSC rates are known, and the rate that they mean. */
static const struct {
    const char *text;
    int64_t nominal;
} ntsc_rates[] = {{"23.976", 24}, {"23.98", 24},  {"29.97", 30},  {"47.952", 48},  {"47.95", 48},
                  {"59.94", 60},  {"71.928", 72}, {"95.904", 96}, {"119.88", 120}, {"239.76", 240}};

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool parse_ratio(const char *text, sc_rational *ratio)
{
    int64_t num, den = 1;
    int decimals, none = 0;
    if (!sci_parse_decimal(&text, &num, &decimals) || decimals > 6)
        return false;
    if (*text == '/') {
        text++;
        if (decimals || !sci_parse_decimal(&text, &den, &none) || none)
            return false;
    }
    for (int i = 0; i < decimals; i++)
        den *= 10;
    if (*text || num <= 0 || den <= 0)
        return false;
    int64_t divisor = greatest_common_divisor(num, den);
    *ratio = (sc_rational){num / divisor, den / divisor};
    return true;
}

sc_status sc_parse_frame_rate(const char *text, sc_rational *frame_rate, sc_error *error)
{
    for (size_t i = 0; text && i < SCI_COUNT(ntsc_rates); i++)
        if (strcmp(text, ntsc_rates[i].text) == 0) {
            *frame_rate = (sc_rational){ntsc_rates[i].nominal * 1000, 1001};
            return SC_OK;
        }
    sc_rational rate;
    if (!text || !parse_ratio(text, &rate) || sc_rational_value(rate) > 1000)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "core.parse", NULL,
                        "'%s' is not a frame rate; write it like 25, 23.976 or 24000/1001, at most "
                        "1000",
                        text ? text : "");
    *frame_rate = rate;
    return SC_OK;
}

double sc_rational_value(sc_rational ratio)
{
    return ratio.den ? (double)ratio.num / (double)ratio.den : -1;
}

void sc_format_frame_rate(sc_rational frame_rate, char *buffer, size_t size)
{
    double value = sc_rational_value(frame_rate);
    if (value >= 0 && value <= 1e9)
        sci_print_trimmed(buffer, size, value, 3);
    else
        snprintf(buffer, size, "?");
}

/* Files and blocks are made in whole binary units, and look crooked in others. */
static bool print_whole_binary(int64_t bytes, char *buffer, size_t size)
{
    static const struct {
        int64_t factor;
        const char *unit;
    } units[] = {{INT64_C(1) << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}};
    for (size_t i = 0; i < SCI_COUNT(units); i++)
        if (bytes % units[i].factor == 0 && bytes / units[i].factor < 1024) {
            snprintf(buffer, size, "%lld %s", (long long)(bytes / units[i].factor), units[i].unit);
            return true;
        }
    return false;
}

void sc_format_bytes(int64_t bytes, char *buffer, size_t size)
{
    static const struct unit units[] = {{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}};
    char number[24];
    if (bytes < 0)
        snprintf(buffer, size, "?");
    else if (bytes < 1000)
        snprintf(buffer, size, "%lld byte%s", (long long)bytes, bytes == 1 ? "" : "s");
    if (bytes < 1000 || print_whole_binary(bytes, buffer, size))
        return;
    size_t i = 0;
    while ((double)bytes < 0.9995 * units[i].factor)
        i++;
    double value = (double)bytes / units[i].factor;
    sci_print_decimal(number, sizeof number, value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
    snprintf(buffer, size, "%s %s", number, units[i].name);
}

void sci_print_decimal(char *buffer, size_t size, double value, int decimals)
{
    /* By integers: printf would follow the locale. */
    int64_t scale = (int64_t)POWERS_OF_TEN[decimals];
    int64_t scaled = llround(fabs(value) * (double)scale);
    const char *sign = value < 0 && scaled ? "-" : "";
    if (decimals == 0)
        snprintf(buffer, size, "%s%lld", sign, (long long)scaled);
    else
        snprintf(buffer, size, "%s%lld.%0*lld", sign, (long long)(scaled / scale), decimals,
                 (long long)(scaled % scale));
}

void sci_print_trimmed(char *buffer, size_t size, double value, int decimals)
{
    sci_print_decimal(buffer, size, value, decimals);
    if (!strchr(buffer, '.'))
        return;
    size_t end = strlen(buffer);
    while (buffer[end - 1] == '0')
        end--;
    if (buffer[end - 1] == '.')
        end--;
    buffer[end] = '\0';
}
