/* The golden documents, and reading and writing whatever kind a text is of. */
#ifndef REPORT_GOLDEN_H
#define REPORT_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <streamcalc/report.h>

#include "core/core.h"
#include "test.h"

enum kind { PROBE, STORAGE, NETWORK, PLAN, PLAY, KIND_COUNT };

static const struct golden {
    const char *file;
    enum kind kind;
} goldens[] = {{"probe.json", PROBE},          {"probe-empty.json", PROBE},
               {"storage.json", STORAGE},      {"storage-cancelled.json", STORAGE},
               {"storage-rate.json", STORAGE}, {"network.json", NETWORK},
               {"network-rate.json", NETWORK}, {"plan.json", PLAN},
               {"plan-whole.json", PLAN},      {"play.json", PLAY}};

static inline char *load_golden(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/report/%s", TEST_DATA_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    return text;
}

/* Read a text as one kind and write it again: *again is NULL where reading failed. A plan is
   written with the probe, the storage, the link and the playback in it. */
static inline sc_status rewrite_probe(const char *json, size_t length, char **again,
                                      sc_error *error)
{
    sc_probe *probe = (sc_probe *)1;
    sc_status status = sc_probe_from_json(json, length, &probe, error);
    if (status == SC_OK)
        status = sc_probe_to_json(probe, again, error);
    else
        assert_null(probe);
    sc_probe_free(&probe);
    return status;
}

static inline sc_status rewrite_storage(const char *json, size_t length, char **again,
                                        sc_error *error)
{
    sc_storage *storage = (sc_storage *)1;
    sc_status status = sc_storage_from_json(json, length, &storage, error);
    if (status == SC_OK)
        status = sc_storage_to_json(storage, again, error);
    else
        assert_null(storage);
    sc_storage_free(&storage);
    return status;
}

static inline sc_status rewrite_link(const char *json, size_t length, char **again, sc_error *error)
{
    sc_link link;
    sc_status status = sc_link_from_json(json, length, &link, error);
    return status == SC_OK ? sc_link_to_json(&link, "2026-11-30T20:21:32Z", again, error) : status;
}

static inline sc_status rewrite_playback(const char *json, size_t length, char **again,
                                         sc_error *error)
{
    sc_playback *playback = (sc_playback *)1;
    sc_status status = sc_playback_from_json(json, length, &playback, error);
    if (status == SC_OK)
        status = sc_playback_to_json(playback, again, error);
    else
        assert_null(playback);
    sc_playback_free(&playback);
    return status;
}

static inline sc_status rewrite_plan(const char *json, size_t length, char **again, sc_error *error)
{
    sc_plan *plan = (sc_plan *)1;
    sc_probe *probe = NULL;
    sc_storage *storage = NULL;
    sc_playback *playback = NULL;
    sc_link link;
    sc_status status = sc_plan_from_json(json, length, &plan, error);
    if (status == SC_OK) {
        sc_probe_from_json(json, length, &probe, NULL);
        sc_storage_from_json(json, length, &storage, NULL);
        bool linked = sc_link_from_json(json, length, &link, NULL) == SC_OK;
        sc_playback_from_json(json, length, &playback, NULL);
        const sc_plan_document whole = {plan, probe, storage, linked ? &link : NULL, playback};
        status = sc_plan_to_json(&whole, again, error);
    } else {
        assert_null(plan);
    }
    sc_plan_free(&plan);
    sc_probe_free(&probe);
    sc_storage_free(&storage);
    sc_playback_free(&playback);
    return status;
}

static inline sc_status rewrite(enum kind kind, const char *json, size_t length, char **again,
                                sc_error *error)
{
    static sc_status (*const all[])(const char *, size_t, char **, sc_error *) = {
        rewrite_probe, rewrite_storage, rewrite_link, rewrite_plan, rewrite_playback};
    *again = NULL;
    return all[kind](json, length, again, error);
}

#endif
