#include "core/core.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/formats.h>
#include <string.h>

static sc_format at(const char *name, int width, int height, int64_t num, int64_t den)
{
    sc_format format;
    sc_error error = {0};
    if (sc_format_at(name, width, height, (sc_rational){num, den}, &format, &error) != SC_OK)
        fail_msg("%s %dx%d: %s", name, width, height, error.message);
    return format;
}

static void every_row_is_complete(void **state)
{
    size_t count = sc_format_count();
    (void)state;
    assert_true(count > 1000);
    for (size_t i = 0; i < count; i++) {
        sc_format f;
        assert_int_equal(sc_format_get(i, &f), SC_OK);
        assert_true(f.family[0] && f.name[0] && f.codec && f.chroma && strlen(f.source) > 10);
        assert_true(f.width > 0 && f.height > 0 && f.bits >= 0 && f.bits <= 16);
        assert_true(f.frame_rate.num > 0 && f.frame_rate.den > 0);
        assert_true(f.bits_per_s > 1000000);
        assert_true(f.origin == SC_SOURCE_CATALOGUE || f.origin == SC_SOURCE_COMPUTED);
        assert_int_equal(f.frame_bytes > 0, f.basis == SC_RATE_EXACT);
        if (f.frame_bytes)
            assert_int_equal(f.bits_per_s,
                             llround((double)f.frame_bytes * 8 * (double)f.frame_rate.num /
                                     (double)f.frame_rate.den));
    }
    sc_format f;
    assert_int_equal(sc_format_get(count, &f), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_format_get(SIZE_MAX, &f), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_format_get(0, NULL), SC_INVALID_ARGUMENT);
}

static void no_row_stands_twice(void **state)
{
    size_t count = sc_format_count();
    char(*labels)[SC_NAME_MAX] = calloc(count, sizeof *labels);
    (void)state;
    assert_non_null(labels);
    for (size_t i = 0; i < count; i++) {
        sc_format f;
        sc_format_get(i, &f);
        sc_format_label(&f, labels[i], sizeof labels[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(labels[i], labels[j]);
    }
    free(labels);
}

static void published_rates(void **state)
{
    static const struct {
        const char *name;
        int width, height;
        int64_t num, den, bits_per_s;
    } cases[] = {
        {"ProRes 422 Proxy", 720, 486, 24000, 1001, 10000000},
        {"ProRes 422 LT", 720, 576, 25, 1, 28000000},
        {"ProRes 422", 1280, 720, 60000, 1001, 147000000},
        {"ProRes 422 HQ", 1920, 1080, 30000, 1001, 220000000},
        {"ProRes 422 HQ", 1920, 1080, 25, 1, 184000000},
        {"ProRes 422 HQ", 3840, 2160, 24000, 1001, 707000000},
        {"ProRes 422 HQ", 3840, 2160, 25, 1, 737000000},
        {"ProRes 4444", 4096, 2160, 24000, 1001, 1130000000},
        {"ProRes 4444 XQ", 8192, 4320, 60000, 1001, 16970000000},
        {"Blackmagic RAW 3:1", 6048, 4032, 30, 1, 2960000000},
        {"Cinema RAW Light LT", 4368, 2304, 60000, 1001, 732000000},
        {"REDCODE RAW MQ", 8192, 4320, 24, 1, 2514300000},
        {"XAVC S 4K 100M", 3840, 2160, 25, 1, 100000000},
        {"XAVC S HD 100M", 1920, 1080, 120000, 1001, 100000000},
        {"AVCHD PS", 1920, 1080, 50, 1, 28000000},
        {"AVCHD LP", 1440, 1080, 30000, 1001, 5000000},
        {"XDCAM HD422 50", 1920, 1080, 25, 1, 50000000},
        {"IMX 50", 720, 608, 25, 1, 50000000},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_format f = at(cases[i].name, cases[i].width, cases[i].height, cases[i].num,
                         cases[i].den);
        assert_int_equal(f.bits_per_s, cases[i].bits_per_s);
        assert_int_equal(f.origin, SC_SOURCE_CATALOGUE);
        assert_int_equal(f.frame_bytes, 0);
    }
}

static void published_frame_sizes(void **state)
{
    static const struct {
        const char *name;
        int width, height;
        int64_t num, den, frame_bytes;
    } cases[] = {
        {"DNxHD 175x", 1920, 1080, 24000, 1001, 917504},
        {"DNxHD 185x", 1920, 1080, 25, 1, 917504},
        {"DNxHD 120", 1920, 1080, 25, 1, 606208},
        {"DNxHD 36", 1920, 1080, 25, 1, 188416},
        {"DNxHD 440x 444", 1920, 1080, 30000, 1001, 1835008},
        {"DNxHD 115", 1280, 720, 50, 1, 303104},
        {"DNxHD 220x", 1280, 720, 60000, 1001, 458752},
        {"DNxHD 145 TR", 1440, 1080, 30000, 1001, 606208},
        {"DNxHD TR 720", 960, 720, 50, 1, 212992},
        {"DNxHD 85 TR+", 1440, 1080, 25, 1, 417792},
        {"DNxHR 444", 3840, 2160, 25, 1, 7286784},
        {"DNxHR HQX", 3840, 2160, 25, 1, 3641344},
        {"DNxHR SQ", 3840, 2160, 25, 1, 2408448},
        {"DNxHR LB", 3840, 2160, 25, 1, 749568},
        {"DNxHR HQX", 4096, 2160, 24, 1, 3887104},
        {"AVC-Intra 50", 1440, 1080, 25, 1, 281088},
        {"AVC-Intra 100", 1920, 1080, 25, 1, 568832},
        {"AVC-Intra 200", 1280, 720, 60000, 1001, 476672},
        {"DV 25", 720, 576, 25, 1, 144000},
        {"DVCPRO HD", 1440, 1080, 25, 1, 576000},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_format f = at(cases[i].name, cases[i].width, cases[i].height, cases[i].num,
                         cases[i].den);
        assert_int_equal(f.frame_bytes, cases[i].frame_bytes);
        assert_int_equal(f.origin, SC_SOURCE_CATALOGUE);
        assert_int_equal(f.basis, SC_RATE_EXACT);
    }
}

/* Sizes of frames in real files, and of frames that encoders wrote. */
static void formulas_give_the_sizes_of_real_frames(void **state)
{
    static const struct {
        const char *name;
        int width, height;
        int64_t frame_bytes;
    } cases[] = {{"DNxHR 444", 1920, 839, 1429504},
                 {"DNxHR HQX", 1920, 1080, 917504},
                 {"DNxHR LB", 1280, 720, 81920},
                 {"DNxHR LB", 640, 480, 28672},
                 {"DNxHR HQ", 2048, 1080, 978944},
                 {"DNxHR SQ", 8192, 4320, 10268672},
                 {"DNxHR LB", 16, 16, 8192},
                 {"v210", 1280, 720, 2488320},
                 {"v210", 1920, 1080, 5529600},
                 {"v210", 720, 576, 1105920},
                 {"2vuy", 3840, 2160, 16588800},
                 {"DPX 10", 1920, 1080, 8294400 + 2048},
                 {"DPX 16", 1920, 1080, 12443648},
                 {"EXR half", 1920, 1080, 12458880},
                 {"ARRIRAW 12 bit", 2880, 1620, 6998400}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_format f = at(cases[i].name, cases[i].width, cases[i].height, 25, 1);
        assert_int_equal(f.frame_bytes, cases[i].frame_bytes);
        assert_int_equal(f.bits_per_s, cases[i].frame_bytes * 200);
        assert_int_equal(f.origin, SC_SOURCE_COMPUTED);
    }
}

/* DNxHR at 1920x1080 is DNxHD: the formula has to give the sizes of the CID table. */
static void dnxhr_agrees_with_dnxhd(void **state)
{
    static const char *const pairs[][2] = {{"DNxHR HQX", "DNxHD 185x"},
                                           {"DNxHR HQ", "DNxHD 185"},
                                           {"DNxHR SQ", "DNxHD 120"},
                                           {"DNxHR LB", "DNxHD 36"},
                                           {"DNxHR 444", "DNxHD 365x 444"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(pairs); i++)
        assert_int_equal(at(pairs[i][0], 1920, 1080, 25, 1).bits_per_s,
                         at(pairs[i][1], 1920, 1080, 25, 1).bits_per_s);
}

static void rates_between_the_published_ones_are_in_proportion(void **state)
{
    static const struct {
        const char *name;
        int width, height;
        int64_t num, den, bits_per_s;
    } cases[] = {
        {"ProRes 422 HQ", 1920, 1080, 24, 1, 176176000},      /* 176 at 23.976 */
        {"ProRes 422 HQ", 1920, 1080, 30, 1, 220220000},      /* 220 at 29.97 */
        {"ProRes 422 HQ", 3840, 2160, 60, 1, 1769768000},     /* 1768 at 59.94 */
        {"ProRes 422 HQ", 3840, 2160, 48, 1, 1416000000},     /* 1475 at 50 */
        {"ProRes 4444 XQ", 960, 720, 25, 1, 177260417},       /* 170 at 23.976 */
        {"ProRes 422", 7680, 4320, 50, 1, 3931875000},        /* 4194 at 8192x4320 */
        {"Blackmagic RAW 5:1", 4096, 2160, 25, 1, 546666667}, /* 656 at 30 */
        {"DNxHD 220x", 1920, 1080, 30, 1, 220200960},
        {"AVC-Intra 100", 1920, 1080, 30, 1, 113418240},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_format f = at(cases[i].name, cases[i].width, cases[i].height, cases[i].num,
                         cases[i].den);
        assert_int_equal(f.bits_per_s, cases[i].bits_per_s);
        assert_int_equal(f.origin, SC_SOURCE_COMPUTED);
        assert_non_null(strstr(f.source, "from"));
    }
}

/* Above HD the published ProRes targets have constant bits a pixel: the rule for other rasters has
   to give the published ones too. */
static void prores_rule_agrees_with_the_published_rasters_above_hd(void **state)
{
    static const int rasters[][2] = {{3840, 2160}, {4096, 2160}, {5120, 2700}, {6144, 3240}};
    static const char *const names[] = {"ProRes 422 Proxy", "ProRes 422 LT", "ProRes 422",
                                        "ProRes 422 HQ",    "ProRes 4444",   "ProRes 4444 XQ"};
    (void)state;
    for (size_t n = 0; n < SCI_COUNT(names); n++)
        for (size_t r = 0; r < SCI_COUNT(rasters); r++) {
            double published = (double)at(names[n], rasters[r][0], rasters[r][1], 50, 1).bits_per_s;
            double ruled = (double)at(names[n], rasters[r][0] + 2, rasters[r][1], 50, 1).bits_per_s;
            double pixels = (double)(rasters[r][0] + 2) / rasters[r][0];
            assert_true(fabs(ruled / pixels / published - 1) < 0.007);
        }
}

static void what_cannot_be_computed_is_refused(void **state)
{
    static const struct {
        const char *name;
        int width, height;
        int64_t num, den;
        sc_status status;
        const char *says;
    } cases[] = {{"DNxHD 185x", 1920, 1080, 24, 1, SC_NOT_FOUND, "DNxHD 185x 1920x1080 25"},
                 {"DNxHD 185x", 3840, 2160, 25, 1, SC_NOT_FOUND, "nearest: DNxHD 185x 1920x1080"},
                 {"ProRes 422", 320, 240, 25, 1, SC_NOT_FOUND, "nearest: ProRes 422 720x486"},
                 {"XAVC S 4K 100M", 3840, 2160, 50, 1, SC_NOT_FOUND, "3840x2160 29.97"},
                 {"ProRes 423", 1920, 1080, 25, 1, SC_NOT_FOUND, "ProRes 422"},
                 {"prores", 1920, 1080, 25, 1, SC_NOT_FOUND, "'prores'"},
                 {"", 1920, 1080, 25, 1, SC_NOT_FOUND, "the families are prores"},
                 {NULL, 1920, 1080, 25, 1, SC_INVALID_ARGUMENT, "name"},
                 {"ProRes 422", 0, 1080, 25, 1, SC_INVALID_ARGUMENT, "0x1080"},
                 {"ProRes 422", 1920, 40000, 25, 1, SC_INVALID_ARGUMENT, "32767"},
                 {"ProRes 422", 1920, 1080, 0, 0, SC_INVALID_ARGUMENT, "0/0"},
                 {"ProRes 422", 1920, 1080, -25, -1, SC_INVALID_ARGUMENT, "frame rate"},
                 {"ProRes 422", 1920, 1080, 1001, 1, SC_INVALID_ARGUMENT, "1000"},
                 {"ProRes 422", 1920, 1080, 1, INT64_MAX, SC_NOT_FOUND, "nearest"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_format f;
        sc_error error = {0};
        assert_int_equal(sc_format_at(cases[i].name, cases[i].width, cases[i].height,
                                      (sc_rational){cases[i].num, cases[i].den}, &f, &error),
                         cases[i].status);
        if (!strstr(error.message, cases[i].says))
            fail_msg("case %zu says: %s", i, error.message);
    }
    assert_int_equal(sc_format_at("ProRes 422", 1920, 1080, (sc_rational){25, 1}, NULL, NULL),
                     SC_INVALID_ARGUMENT);
}

static void rates_need_not_be_reduced(void **state)
{
    sc_format f = at("prores 422 hq", 3840, 2160, 50, 2);
    (void)state;
    assert_int_equal(f.bits_per_s, 737000000);
    assert_int_equal(f.frame_rate.num, 25);
    assert_string_equal(f.name, "ProRes 422 HQ");
}

static void labels(void **state)
{
    char label[SC_NAME_MAX], small[8];
    sc_format f = at("ProRes 422 HQ", 3840, 2160, 24000, 1001);
    (void)state;
    sc_format_label(&f, label, sizeof label);
    assert_string_equal(label, "ProRes 422 HQ 3840x2160 23.976");
    sc_format_label(&f, small, sizeof small);
    assert_string_equal(small, "ProRes ");
    sc_format_label(NULL, small, sizeof small);
    assert_string_equal(small, "");
    sc_format_label(&f, NULL, 0);
    f.interlaced = true;
    f.frame_rate = (sc_rational){30000, 1001};
    sc_format_label(&f, label, sizeof label);
    assert_string_equal(label, "ProRes 422 HQ 3840x2160 59.94i");
    assert_string_equal(sc_rate_basis_name(SC_RATE_TARGET), "target");
    assert_string_equal(sc_rate_basis_name(SC_RATE_EXACT), "exact");
}

/* ---- the tables that the catalogue was made from, where they are at hand ---- */

enum { COLUMNS = 16 };

/* Cut a CSV line in place; quoted fields may hold commas. */
static size_t cut(char *line, char *fields[COLUMNS])
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (count < COLUMNS) {
        bool quoted = *line == '"';
        fields[count++] = line += quoted;
        char *end = quoted ? strchr(line, '"') : line + strcspn(line, ",");
        assert_non_null(end);
        bool last = quoted ? end[1] == '\0' : *end == '\0';
        *end = '\0';
        if (last)
            break;
        line = end + 1 + quoted;
    }
    return count;
}

static FILE *open_table(const char *name)
{
    static const char unit_data[] = TEST_DATA_DIR; /* <source>/tests/unit/data, which need not be */
    const char *directory = getenv("STREAMCALC_DATA");
    char path[4096], line[8192];
    if (directory)
        snprintf(path, sizeof path, "%s/%s", directory, name);
    else
        snprintf(path, sizeof path, "%.*s/../../../shared/data/%s",
                 (int)(strlen(unit_data) - strlen("/data")), unit_data, name);
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("skipped: no %s (STREAMCALC_DATA names the directory of the tables)\n", path);
        skip();
    }
    assert_non_null(fgets(line, sizeof line, file));
    return file;
}

static sc_rational table_rate(const char *text)
{
    sc_rational rate;
    assert_int_equal(sc_parse_frame_rate(text, &rate, NULL), SC_OK);
    return rate;
}

static void expect_row(const char *name, const char *raster, const char *rate, bool interlaced,
                       int64_t frame_bytes, int64_t bits_per_s, double tolerance)
{
    char expression[256];
    sc_format *found = NULL;
    size_t count = 0;
    sc_error error = {0};
    char fields[16];
    sc_rational fields_rate = table_rate(rate);
    fields_rate.num *= 2;
    sc_format_frame_rate(fields_rate, fields, sizeof fields);
    snprintf(expression, sizeof expression, "%s %s %s%s", name, raster, interlaced ? fields : rate,
             interlaced ? "i" : "");
    if (sc_formats_find(expression, &found, &count, &error) != SC_OK)
        fail_msg("%s: %s", expression, error.message);
    assert_int_equal(count, 1);
    if (frame_bytes)
        assert_int_equal(found[0].frame_bytes, frame_bytes);
    if (fabs((double)(found[0].bits_per_s - bits_per_s)) > tolerance)
        fail_msg("%s: %lld, expected %lld", expression, (long long)found[0].bits_per_s,
                 (long long)bits_per_s);
    sc_formats_free(&found);
}

static void prores_table(void **state)
{
    char line[8192], *f[COLUMNS], raster[64], name[64];
    FILE *file = open_table("rates_prores.csv");
    size_t rows = 0, contradictory = 0;
    (void)state;
    while (fgets(line, sizeof line, file)) {
        assert_true(cut(line, f) >= 7);
        snprintf(raster, sizeof raster, "%sx%s", f[1], f[2]);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(f[3], "("), f[3]);
        rows++;
        /* 76 between 170 at 23.976 and 212 at 29.97. */
        if (strcmp(raster, "960x720") == 0 && strcmp(f[6], "76") == 0) {
            contradictory++;
            continue;
        }
        expect_row(name, raster, f[5], false, 0, atoll(f[6]) * 1000000, 0);
    }
    fclose(file);
    assert_int_equal(rows, 348);
    assert_int_equal(contradictory, 1);
}

static void dnxhd_table(void **state)
{
    char line[8192], *f[COLUMNS];
    FILE *file = open_table("rates_dnxhd.csv");
    size_t rows = 0;
    (void)state;
    for (; fgets(line, sizeof line, file); rows++) {
        assert_true(cut(line, f) >= 9);
        expect_row(f[1], f[2], f[4], f[3][0] == 'i', atoll(f[7]), llround(strtod(f[8], NULL) * 1e6),
                   501);
    }
    fclose(file);
    assert_int_equal(rows, 63);
}

static void dnxhr_table(void **state)
{
    char line[8192], *f[COLUMNS];
    FILE *file = open_table("rates_dnxhr.csv");
    size_t rows = 0;
    (void)state;
    for (; fgets(line, sizeof line, file); rows++) {
        assert_true(cut(line, f) >= 9);
        expect_row(f[1], f[3], f[4], false, atoll(f[7]), llround(strtod(f[8], NULL) * 1e6), 501);
    }
    fclose(file);
    assert_int_equal(rows, 440);
}

static void avc_intra_table(void **state)
{
    char line[8192], *f[COLUMNS];
    FILE *file = open_table("rates_avcintra.csv");
    size_t rows = 0;
    (void)state;
    for (; fgets(line, sizeof line, file); rows++) {
        assert_true(cut(line, f) >= 5);
        expect_row(f[0], strncmp(f[1], "1080", 4) == 0 ? "1080" : "720", f[2], false, atoll(f[3]),
                   llround(strtod(f[4], NULL) * 1e6), 501);
    }
    fclose(file);
    assert_int_equal(rows, 30);
}

static void uncompressed_table(void **state)
{
    static const struct {
        const char *text, *name;
    } names[] = {{"v210", "v210"},
                 {"UYVY", "2vuy"},
                 {"DPX 10", "DPX 10"},
                 {"DPX 16", "DPX 16"},
                 {"EXR", "EXR half"}};
    char line[8192], *f[COLUMNS];
    FILE *file = open_table("rates_uncompressed.csv");
    size_t rows = 0;
    (void)state;
    while (fgets(line, sizeof line, file)) {
        assert_true(cut(line, f) >= 7);
        for (size_t n = 0; n < SCI_COUNT(names); n++) {
            if (strncmp(f[0], names[n].text, strlen(names[n].text)) != 0)
                continue;
            /* The header of a DPX file, 2048 here, is not in the table's formula. */
            int64_t bytes = atoll(f[3]) + (strncmp(f[0], "DPX", 3) == 0 ? 2048 : 0);
            expect_row(names[n].name, f[2], f[5], false, bytes, llround(strtod(f[6], NULL) * 1e6),
                       700000);
            rows++;
        }
    }
    fclose(file);
    assert_int_equal(rows, 125);
}

/* The raw formats of cameras: name of the family in the table, and of the format here up to the last
   word of the table's mode. */
static void camera_raw_table(void **state)
{
    static const char *const names[][2] = {{"Blackmagic RAW", "Blackmagic RAW"},
                                           {"Canon Cinema RAW Light", "Cinema RAW Light"},
                                           {"REDCODE RAW", "REDCODE RAW"}};
    char line[8192], *f[COLUMNS], name[256];
    FILE *file = open_table("rates_camera.csv");
    size_t rows = 0;
    (void)state;
    while (fgets(line, sizeof line, file)) {
        assert_true(cut(line, f) >= 6);
        for (size_t n = 0; n < SCI_COUNT(names); n++) {
            const char *word = strrchr(f[1], ' ');
            if (strcmp(f[0], names[n][0]) != 0 || !strchr(f[2], 'x') || !word)
                continue;
            snprintf(name, sizeof name, "%s%s", names[n][1], word);
            expect_row(name, f[2], f[3], false, 0, llround(strtod(f[4], NULL) * 1e6), 0);
            rows++;
        }
    }
    fclose(file);
    assert_int_equal(rows, 20 + 28 + 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(no_row_stands_twice),
        cmocka_unit_test(published_rates),
        cmocka_unit_test(published_frame_sizes),
        cmocka_unit_test(formulas_give_the_sizes_of_real_frames),
        cmocka_unit_test(dnxhr_agrees_with_dnxhd),
        cmocka_unit_test(rates_between_the_published_ones_are_in_proportion),
        cmocka_unit_test(prores_rule_agrees_with_the_published_rasters_above_hd),
        cmocka_unit_test(what_cannot_be_computed_is_refused),
        cmocka_unit_test(rates_need_not_be_reduced),
        cmocka_unit_test(labels),
        cmocka_unit_test(prores_table),
        cmocka_unit_test(dnxhd_table),
        cmocka_unit_test(dnxhr_table),
        cmocka_unit_test(avc_intra_table),
        cmocka_unit_test(uncompressed_table),
        cmocka_unit_test(camera_raw_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
