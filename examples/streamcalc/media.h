/* Clips from files, directories and documents, as one probe result. */
#ifndef MEDIA_H
#define MEDIA_H

#include "cli.h"

/* `all` shows the clips and findings of every part; they belong to the parts. */
struct media {
    sc_probe all;
    sc_clip *clips;
    sc_finding *findings;
    sc_probe **parts;
    size_t part_count;
};

/* Probe paths. As sc_probe_many(); what could be probed is added on failure and cancellation too. */
sc_status media_probe(struct media *media, struct cli *cli, const char *const *paths, size_t count,
                      sc_error *error);
/* The same, or read a document: what is no directory and no regular file, or is named .json. */
sc_status media_open(struct media *media, struct cli *cli, const char *path, sc_error *error);
/* The paths that --media names; malloc'ed, NULL without memory. */
const char **media_named(const cli_options *options, size_t *count);
void media_free(struct media *media);

/* Findings about clips, each kind once, with the number of clips that it is about. */
void media_print_findings(const struct media *media, sc_severity severity, FILE *out, int width);

/* "2 of 14 clips could not be read and are left out: broken.mov, garbage.mp4", if others could.
 */
void media_print_unread(const struct media *media, FILE *out, int width);

/* Complain of every clip that could not be probed; their number. */
size_t media_complain(const struct media *media, struct cli *cli);

#endif
