#include "media.h"

#include "document.h"
#include "output.h"
#include "pictures.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Room for `more` items behind `count`; NULL without memory, *items then stays. */
static void *enlarge(void *items, size_t count, size_t more, size_t size)
{
    return realloc(items, (count + more + 1) * size);
}

static bool reserve(struct media *media, const sc_probe *part)
{
    sc_clip *clips = enlarge(media->clips, media->all.clip_count, part->clip_count, sizeof *clips);
    if (clips)
        media->all.clips = media->clips = clips;
    sc_finding *findings = enlarge(media->findings, media->all.finding_count, part->finding_count,
                                   sizeof *findings);
    if (findings)
        media->all.findings = media->findings = findings;
    sc_probe **parts = enlarge(media->parts, media->part_count, 1, sizeof *parts);
    if (parts)
        media->parts = parts;
    return clips && findings && parts;
}

static sc_status append(struct media *media, sc_probe *part, sc_error *error)
{
    if (!reserve(media, part)) {
        sc_probe_free(&part);
        return option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    }
    for (size_t i = 0; i < part->clip_count; i++)
        media->clips[media->all.clip_count++] = part->clips[i];
    for (size_t i = 0; i < part->finding_count; i++)
        media->findings[media->all.finding_count++] = part->findings[i];
    if (media->part_count == 0)
        memcpy(media->all.made_at, part->made_at, sizeof part->made_at);
    if (media->all.error.status == SC_OK)
        media->all.error = part->error;
    if (media->all.error.status == SC_OK)
        media->all.error = part->error;
    media->parts[media->part_count++] = part;
    return SC_OK;
}

static const char PICTURES[] = "these are single pictures, or of a kind that is not probed (.ari, "
                               ".cin): two or more that differ in a number are a sequence; "
                               "--stream and --format plan others";

/* Say so where a directory without clips holds pictures: an empty answer would look like a fault. */
static sc_status note_pictures(struct media *media, const char *const *paths, size_t count)
{
    static const sc_finding finding = {"picture-sequence", SC_SEVERITY_WARNING, PICTURES};
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = pictures_in(paths[i]);
    if (!found)
        return SC_OK;
    sc_finding *findings = enlarge(media->findings, media->all.finding_count, 1, sizeof *findings);
    if (!findings)
        return SC_NO_MEMORY;
    media->all.findings = media->findings = findings;
    media->findings[media->all.finding_count++] = finding;
    return SC_UNSUPPORTED;
}

/* The failure of a probe that found no clip, told better where that can be. */
static sc_status explain(struct media *media, const char *const *paths, size_t count,
                         sc_status status, sc_error *error)
{
    if (status == SC_OK || status == SC_CANCELLED || media->all.clip_count > 0)
        return status;
    sc_status noted = note_pictures(media, paths, count);
    if (noted == SC_OK)
        return status;
    *error = (sc_error){0};
    return option_fail(error, noted, "%s: %s", paths[0],
                       noted == SC_UNSUPPORTED ? PICTURES : sc_status_text(noted));
}

sc_status media_probe(struct media *media, struct cli *cli, const char *const *paths, size_t count,
                      sc_error *error)
{
    sc_probe_params params = cli_probe_params(cli);
    sc_probe *part = NULL;
    sc_status status = sc_probe_many(paths, count, &params, &part, error);
    progress_erase(&cli->progress);
    if (!part)
        return status;
    sc_status appended = append(media, part, error);
    return appended == SC_OK ? explain(media, paths, count, status, error) : appended;
}

static bool is_document(const char *path)
{
    struct stat facts;
    size_t length = strlen(path);
    bool named_json = length > 5 && strcmp(path + length - 5, ".json") == 0;
    bool directory = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    return document_is_stream(path) || (named_json && !directory);
}

sc_status media_open(struct media *media, struct cli *cli, const char *path, sc_error *error)
{
    if (!is_document(path))
        return media_probe(media, cli, &path, 1, error);
    sc_probe *part = NULL;
    sc_status status = document_open_probe(path, &part, error);
    return status == SC_OK ? append(media, part, error) : status;
}

const char **media_named(const cli_options *options, size_t *count)
{
    const char **paths = calloc(options->wish_count + 1, sizeof *paths);
    *count = 0;
    for (size_t i = 0; paths && i < options->wish_count; i++)
        if (options->wishes[i].kind == WISH_MEDIA)
            paths[(*count)++] = options->wishes[i].text;
    return paths;
}

void media_free(struct media *media)
{
    for (size_t i = 0; i < media->part_count; i++)
        sc_probe_free(&media->parts[i]);
    free(media->parts);
    free(media->clips);
    free(media->findings);
    *media = (struct media){0};
}

/* ---- findings ---- */

/* One kind of finding, as the first clip has it. */
struct kind {
    const sc_finding *first;
    const sc_clip *clip;
    size_t clips;
};

static void count_finding(struct kind *kinds, size_t *count, size_t most, const sc_clip *clip,
                          const sc_finding *finding)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(kinds[i].first->code, finding->code) == 0) {
            kinds[i].clips++;
            return;
        }
    if (*count < most)
        kinds[(*count)++] = (struct kind){finding, clip, 1};
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void print_kind(const struct kind *kind, FILE *out, int width)
{
    char line[4096], clean[3 * sizeof line], first[32];
    const char *name = base_name(kind->clip->path);
    if (kind->clips == 1)
        snprintf(line, sizeof line, "%s: %s", name, kind->first->message);
    else
        snprintf(line, sizeof line, "%zu clips, the first is %s: %s", kind->clips, name,
                 kind->first->message);
    snprintf(first, sizeof first, "%s: ", sc_severity_name(kind->first->severity));
    text_wrap(out, width, first, text_clean(line, clean, sizeof clean));
}

void media_print_findings(const struct media *media, sc_severity severity, FILE *out, int width)
{
    struct kind kinds[32];
    size_t count = 0;
    for (size_t i = 0; i < media->all.clip_count; i++) {
        const sc_clip *clip = &media->all.clips[i];
        for (size_t f = 0; clip->error.status == SC_OK && f < clip->finding_count; f++)
            if (clip->findings[f].severity == severity)
                count_finding(kinds, &count, COUNT_OF(kinds), clip, &clip->findings[f]);
    }
    for (size_t i = 0; i < count; i++)
        print_kind(&kinds[i], out, width);
}

/* Those that an interruption left were not tried. */
static bool unread(const sc_clip *clip)
{
    return clip->error.status != SC_OK && clip->error.status != SC_CANCELLED;
}

void media_print_unread(const struct media *media, FILE *out, int width)
{
    enum { MOST = 5 };
    char line[4096], clean[3 * sizeof line], names[2048] = "";
    size_t failed = 0, count = media->all.clip_count;
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(names);
        if (unread(&media->all.clips[i]) && ++failed <= MOST)
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                     base_name(media->all.clips[i].path));
    }
    if (!failed || failed == count)
        return;
    int length = snprintf(line, sizeof line,
                          "%zu of %zu clip%s could not be read and %s left out: %s", failed, count,
                          count == 1 ? "" : "s", failed == 1 ? "is" : "are", names);
    if (failed > MOST)
        snprintf(line + length, sizeof line - (size_t)length, " and %zu more", failed - MOST);
    text_wrap(out, width, "", text_clean(line, clean, sizeof clean));
}

size_t media_complain(const struct media *media, struct cli *cli)
{
    size_t failed = 0;
    for (size_t i = 0; i < media->all.clip_count; i++) {
        const sc_clip *clip = &media->all.clips[i];
        if (!unread(clip))
            continue;
        failed++;
        output_complain(cli, clip->path, clip->error.message);
    }
    return failed;
}
