/* streamcalc: the command line of libstreamcalc. It uses the public headers alone. */
#include "cli.h"
#include "front.h"
#include "help.h"
#include "output.h"
#include "player_log.h"
#include "text.h"
#include "watch.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A signal handler can reach nothing but this. */
static sc_cancel *signal_cancel;
static volatile sig_atomic_t grace_s = 1; /* from the first signal to the end */
enum { REMOVING_S = 7 };                  /* with test data to be removed */

static void on_signal(int number)
{
    (void)number;
    if (front_is_second_signal())
        front_leave(EXIT_INTERRUPTED);
    alarm((unsigned)grace_s);
    sc_cancel_trigger(signal_cancel);
}

/* Some time after the signal there is still no result: a call that cannot be cancelled waits for a
   server or disk that does not answer. */
static void on_alarm(int number)
{
    static const char text[] = "streamcalc: interrupted; the storage does not answer\n";
    (void)number;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written; /* there is nobody left to tell */
    front_leave(EXIT_INTERRUPTED);
}

static void catch_signals(sc_cancel *cancel)
{
    struct sigaction action = {.sa_handler = on_signal};
    signal_cancel = cancel;
    sigfillset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* writes report it, and the result can still be saved */
}

/* With a closed standard stream the next file opened would become it. Opened read-only, a write to
   standard output still fails, as it should. */
static void open_standard_streams(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != i)
            _exit(EXIT_FAILED);
}

double cli_stall_s(const struct cli *cli)
{
    const double usual_s = 10; /* as sc_measure_params has it */
    return cli->options.stall_s > 0 ? cli->options.stall_s : usual_s;
}

sc_control cli_control(struct cli *cli)
{
    return (sc_control){
        .progress = progress_update, .progress_opaque = &cli->progress, .cancel = cli->cancel};
}

sc_probe_params cli_probe_params(struct cli *cli)
{
    return (sc_probe_params){.max_bytes = cli->options.max_bytes,
                             .max_seconds = cli->options.max_seconds,
                             .stall_s = cli_stall_s(cli),
                             .max_files = (int32_t)cli->options.max_files,
                             .parallel = (int32_t)cli->options.parallel,
                             .exact = cli->options.exact,
                             .as_one = cli->options.as_one,
                             .frame_rate = cli->options.frame_rate,
                             .control = cli_control(cli)};
}

sc_measure_params cli_measure_params(struct cli *cli)
{
    return (sc_measure_params){.player = cli->options.player,
                               .cache = cli->options.cache,
                               .max_readers = (int32_t)cli->options.max_readers,
                               .seconds = cli->options.seconds,
                               .create_bytes = cli->options.create,
                               .write = cli->options.write,
                               .with_writers = (int32_t)cli->options.with_writers,
                               .stall_s = cli_stall_s(cli),
                               .control = cli_control(cli)};
}

sc_status cli_measure(struct cli *cli, const char *path, const sc_measure_params *params,
                      sc_storage **storage, sc_error *error)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (params->create_bytes || params->write || params->with_writers)
        grace_s = REMOVING_S;
    sc_status status = sc_measure(path, params, storage, error);
    grace_s = 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    cli->measured_in_s = (double)(end.tv_sec - start.tv_sec) +
                         (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    progress_erase(&cli->progress);
    return status;
}

/* Options may be wrong in any way, but an error still has to be a document where one was asked. */
static bool asks_for_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "-j") == 0)
            return true;
    return false;
}

/* "streamcalc help plan" is "streamcalc plan --help". */
static int print_help_for(struct cli *cli, const char *name)
{
    const struct command *command = name ? command_find(name) : command_at(0);
    if (command) {
        help_print(cli->out, command, cli->width);
        return EXIT_ANSWERED;
    }
    sc_error error = {0};
    const struct command *near = command_near(name);
    option_fail(&error, SC_INVALID_ARGUMENT, "there is no command '%s'%s%s", name,
                near ? "; the nearest is " : "", near ? near->name : "");
    return output_fail(cli, &error);
}

/* A command that is misspelt or does not come first looks like a missing path. */
static sc_status check_first(const struct cli *cli, sc_error *error)
{
    const char *first = cli->options.operand_count ? cli->options.operands[0] : "/";
    if (cli->command != command_at(0) || strchr(first, '/') || access(first, F_OK) == 0)
        return SC_OK;
    const struct command *near = command_near(first);
    if (near && strcmp(near->name, first) == 0)
        return option_fail(error, SC_INVALID_ARGUMENT, "the command '%s' must come first", first);
    if (near)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "'%s' is neither a path nor a command; did you mean %s?", first,
                           near->name);
    return SC_OK;
}

/* The whole job measures; what it saved is planned with. */
static sc_status check_document(const struct cli *cli, sc_error *error)
{
    const char *first = cli->options.operand_count ? cli->options.operands[0] : "";
    size_t length = strlen(first);
    struct stat facts;
    if (cli->command != command_at(0) || length <= 5 || strcmp(first + length - 5, ".json") != 0 ||
        stat(first, &facts) != 0 || !S_ISREG(facts.st_mode))
        return SC_OK;
    return option_fail(error, SC_INVALID_ARGUMENT,
                       "%s is a document; plan with it: streamcalc plan --storage %s", first,
                       first);
}

static sc_status check_operands(const struct cli *cli, sc_error *error)
{
    const cli_options *options = &cli->options;
    const struct command *command = cli->command;
    bool whole_job = command == command_at(0);
    sc_status status = check_first(cli, error);
    if (status == SC_OK)
        status = check_document(cli, error);
    if (status != SC_OK)
        return status;
    if (options->operand_count < command->least_operands)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "no path given; usage: streamcalc%s%s %s (--help shows examples)",
                           whole_job ? "" : " ", whole_job ? "" : command->name, command->usage);
    if (options->operand_count > command->most_operands)
        return option_fail(error, SC_INVALID_ARGUMENT, "unexpected argument '%s'",
                           options->operands[command->most_operands]);
    return SC_OK;
}

static int run(struct cli *cli, int argc, char **argv)
{
    sc_error error = {0};
    bool json = asks_for_json(argc, argv);
    cli->options.json = json;
    if (argc > 1 && strcmp(argv[1], "help") == 0)
        return print_help_for(cli, argc > 2 ? argv[2] : NULL);
    const struct command *named = argc > 1 ? command_find(argv[1]) : NULL;
    cli->command = named ? named : command_at(0);
    int skipped = named != NULL;
    sc_status status = options_parse(argc - skipped, argv + skipped, cli->command->bit,
                                     &cli->options, &error);
    cli->options.json = json;
    if (status == SC_OK && cli->options.help) {
        help_print(cli->out, cli->command, cli->width);
        return EXIT_ANSWERED;
    }
    if (status == SC_OK && cli->options.version) {
        fprintf(cli->out, "streamcalc %s\n", sc_version());
        return EXIT_ANSWERED;
    }
    if (status == SC_OK)
        status = check_operands(cli, &error);
    if (status == SC_OK)
        status = player_log_take(cli, &error);
    return status == SC_OK ? cli->command->run(cli) : output_fail(cli, &error);
}

struct call {
    struct cli *cli;
    int argc, code;
    char **argv;
    pthread_mutex_t lock;
    pthread_cond_t ended; /* finished was set */
    bool finished;
};

static void *run_call(void *argument)
{
    struct call *call = argument;
    const int code = run(call->cli, call->argc, call->argv);
    pthread_mutex_lock(&call->lock);
    call->code = code;
    call->finished = true;
    pthread_cond_signal(&call->ended);
    pthread_mutex_unlock(&call->lock);
    return NULL;
}

/* For a tenth of a second at most. */
static bool await_end(struct call *call)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&call->lock);
    if (!call->finished)
        pthread_cond_timedwait(&call->ended, &call->lock, &until);
    const bool finished = call->finished;
    pthread_mutex_unlock(&call->lock);
    return finished;
}

/* With an output of its own: the work, which is stuck, may be in the midst of writing to the other. */
static _Noreturn void give_up(const struct cli *stuck)
{
    struct cli cli = {.command = stuck->command, .options.json = stuck->options.json};
    sc_error error = {0};
    snprintf(cli.made_at, sizeof cli.made_at, "%s", stuck->made_at);
    cli.out = open_memstream(&cli.result, &cli.result_size);
    option_fail(&error, SC_STALLED,
                "no answer for %g s from a path that was given; is the server or disk still there",
                cli_stall_s(stuck));
    int code = cli.out ? output_finish(&cli, output_fail(&cli, &error)) : EXIT_FAILED;
    front_leave(code);
}

/* The work has a thread of its own, so that signals reach this one while a call of the work waits
   for a mount that does not answer: such a wait ends for no handler. */
static int run_apart(struct cli *cli, int argc, char **argv)
{
    enum { GRACE_MS = 300 }; /* the library's own watchdog comes first */
    struct call call = {.cli = cli, .argc = argc, .argv = argv, .code = EXIT_FAILED};
    sigset_t all, before;
    pthread_t thread;
    clockid_t clock;
    pthread_mutex_init(&call.lock, NULL);
    pthread_cond_init(&call.ended, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int os_errno = pthread_create(&thread, NULL, run_call, &call);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (os_errno) {
        fprintf(stderr, "streamcalc: cannot start a thread: %s\n", strerror(os_errno));
        return EXIT_FAILED;
    }
    const bool watched = pthread_getcpuclockid(thread, &clock) == 0;
    while (!await_end(&call))
        if (watched && watch_is_stuck(clock, cli_stall_s(cli) + GRACE_MS / 1e3))
            give_up(cli);
    pthread_join(thread, NULL);
    return call.code;
}

struct start {
    struct cli cli;
    int argc;
    char **argv;
};

static int work(void *opaque)
{
    struct start *start = opaque;
    struct cli *cli = &start->cli;
    sc_probe_quiet_ffmpeg();
    cli->cancel = sc_cancel_create();
    cli->out = open_memstream(&cli->result, &cli->result_size);
    if (!cli->cancel || !cli->out) {
        fprintf(stderr, "streamcalc: %s\n", sc_status_text(SC_NO_MEMORY));
        return EXIT_FAILED;
    }
    catch_signals(cli->cancel);
    sc_time_now(cli->made_at);
    int code = run_apart(cli, start->argc, start->argv);
    alarm(0);
    code = output_finish(cli, code);
    sc_player_trace_free(&cli->trace);
    options_free(&cli->options);
    signal_cancel = NULL;
    sc_cancel_free(&cli->cancel);
    return code;
}

int main(int argc, char **argv)
{
    struct start start = {{.command = command_at(0)}, argc, argv};
    open_standard_streams();
    progress_start(&start.cli.progress);
    start.cli.width = text_terminal_width(STDOUT_FILENO);
    return front_run(work, &start, argv);
}
