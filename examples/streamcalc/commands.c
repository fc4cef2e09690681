#include "cli.h"
#include "text.h"

#include <stdint.h>
#include <string.h>

static const struct command commands[] = {
    {"run",
     FOR_RUN,
     "PATH... [OPTION]...",
     "how many streams play from here, and what stops the next one",
     "Looks at the clips under PATH (files, directories), measures the storage that they are on the "
     "way an editing program reads, and counts the streams of each format that it sustains. Takes "
     "about half a minute and only ever reads from PATH, unless --create, --write or --with-writers ask for test data there.",
     "streamcalc.plan",
     1,
     SIZE_MAX,
     cmd_run,
     {{"/mnt/nas/project", "streams of every format in a folder"},
      {"/mnt/nas/project --require 4", "is it enough for four? (exit code)"},
      {"/mnt/nas/project --player tight", "with an impatient player"},
      {"/mnt/nas/project --player-from player.log", "as your own player reads (strace)"},
      {"/mnt/nas/project --json | jq .answers", "for a script"}}},
    {"probe",
     FOR_PROBE,
     "PATH... [OPTION]...",
     "what one stream of a clip needs",
     NULL,
     "streamcalc.probe",
     1,
     SIZE_MAX,
     cmd_probe,
     {{"A003_C011.mov", "rates of one clip"},
      {"'shot/shot.%04d.dpx' --frame-rate 25", "of numbered pictures"},
      {"/mnt/nas/project --json >project.json", "of a folder, for plan --media"},
      {"/archive --ndjson | jq -r '.files[].path'", "of a million files, as they come"}}},
    {"measure",
     FOR_MEASURE,
     "PATH [OPTION]...",
     "what a storage delivers to 1, 2, 4, ... readers",
     "PATH is a directory with large files, or one large file. It is only read, never written, unless "
     "--create, --write or --with-writers ask for test data: hidden files named .streamcalc-test-*, removed in the "
     "end. Making and removing them takes time beyond --duration.",
     "streamcalc.storage",
     1,
     1,
     cmd_measure,
     {{"/mnt/nas/project", "half a minute of reading"},
      {"/mnt/nas/project --duration 2min", "for storage that stalls now and then"},
      {"/mnt/nas/empty --create 4GB --write", "where there is no footage yet; writes, too"},
      {"/mnt/nas/project --json >nas.json", "for plan --storage"}}},
    {"plan",
     FOR_PLAN,
     "[--storage RATE|FILE] [--link LINK] [OPTION]...",
     "count streams with figures that are known already",
     NULL,
     "streamcalc.plan",
     0,
     0,
     cmd_plan,
     {{"--storage 83MB/s --stream 168Mb/s", "bare figures"},
      {"--storage nas.json --media project.json", "measured and probed before"},
      {"--storage nas.json --link 10gbe --format 'ProRes 422 HQ'", "with a network between"},
      {"--storage fio.json --format dnxhr", "with a disk that fio measured on the server"},
      {"--storage nas.json --media a.mov --media b.mov --streams 6,2", "do both play?"}}},
    {"play",
     FOR_PLAY,
     "PATH --streams N [OPTION]...",
     "play streams from a storage at their pace, and count late frames",
     "PATH is a directory with large files, or one large file, and is only read: each stream has a "
     "region of its own there, from which it takes as many bytes as its frames have, when they are "
     "due. Exit code 1: a frame was late, or buffers shrink so that one would be.",
     "streamcalc.play",
     1,
     1,
     cmd_play,
     {{"/mnt/nas/project --streams 6", "do six streams of what lies there play?"},
      {"/mnt/nas/project --find-max", "how many do?"},
      {"/mnt/nas --media A003_C011.mov --media proxy.mov --streams 4,8", "two formats at once"},
      {"/mnt/nas --format 'DNxHR SQ 1920x1080 25' -n 9 --duration 2min", "for longer"}}},
    {"player",
     FOR_PLAYER,
     "LOG [OPTION]...",
     "how a program reads, learned from a log of strace",
     "LOG is what strace -f -ttt -T -y -o LOG wrote of the program while it played a clip for half a "
     "minute. What is found is printed as a --player; --player-from LOG takes it as it is.",
     "streamcalc.player",
     1,
     1,
     cmd_player,
     {{"player.log", "the block, reads in flight and read-ahead"},
      {"player.log --player-file proxy.mov", "of another file than most was read of"},
      {"player.log --json | jq -r .expression", "for a script"}}},
    {"formats",
     FOR_FORMATS,
     "[FORMAT] [OPTION]...",
     "published rates of formats",
     NULL,
     "streamcalc.formats",
     0,
     SIZE_MAX,
     cmd_formats,
     {{"prores", "a family"},
      {"ProRes 422 HQ 3840x2160", "one format at every frame rate"},
      {"DNxHR HQX 3840x2160 23.976", "one row"}}},
    {"links",
     FOR_LINKS,
     "[OPTION]...",
     "what networks carry",
     NULL,
     "streamcalc.links",
     0,
     0,
     cmd_links,
     {{"", "names for --link, with their payload"}}}};

const struct command *command_at(size_t i)
{
    return i < COUNT_OF(commands) ? &commands[i] : NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 1; i < COUNT_OF(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

const struct command *command_near(const char *word)
{
    const struct command *best = NULL;
    size_t best_distance = 3;
    for (size_t i = 1; i < COUNT_OF(commands); i++) {
        size_t distance = edit_distance(word, commands[i].name);
        if (distance < best_distance) {
            best = &commands[i];
            best_distance = distance;
        }
    }
    return best;
}
