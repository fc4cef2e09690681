#include "front.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { END_WAIT_MS = 500 }; /* for a worker that has said how it ends */

static const double SAME_SIGNAL_S = 0.1;

/* What the worker says. */
enum { CODE, ERRORS, OUTPUT, CHANNELS };

/* A signal handler can reach nothing but these. */
static volatile sig_atomic_t worker_pid; /* in the process that people see */
static volatile sig_atomic_t signalled;
static struct timespec first_signal;
static int code_descriptor = -1; /* in the worker */

/* ---- the worker ---- */

static void say_code(int code)
{
    const unsigned char byte = (unsigned char)code;
    while (write(code_descriptor, &byte, 1) < 0 && errno == EINTR)
        ;
}

void front_leave(int code)
{
    if (code_descriptor >= 0)
        say_code(code);
    _exit(code);
}

/* "-", "/dev/fd/63": the worker needs what the caller opened. */
static bool names_descriptor(const char *argument)
{
    size_t length = strlen(argument);
    return (length > 0 && argument[length - 1] == '-') || strstr(argument, "/dev/") ||
           strstr(argument, "/proc/");
}

static void let_go_of_inherited(char **arguments)
{
    enum { DESCRIPTORS = 256 };
    for (char **argument = arguments + 1; *argument; argument++)
        if (names_descriptor(*argument))
            return;
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    for (int i = STDERR_FILENO + 1; i < DESCRIPTORS; i++)
        if (i != code_descriptor)
            close(i);
}

/* Whoever kills the process that people see does not get rid of this one otherwise. */
static void end_with(pid_t front)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != front)
        _exit(EXIT_INTERRUPTED);
}

static int be_worker(int (*work)(void *opaque), void *opaque, char **arguments, pid_t front,
                     int pipes[CHANNELS][2])
{
    dup2(pipes[OUTPUT][1], STDOUT_FILENO);
    dup2(pipes[ERRORS][1], STDERR_FILENO);
    code_descriptor = pipes[CODE][1];
    close(pipes[OUTPUT][1]);
    close(pipes[ERRORS][1]);
    for (int i = 0; i < CHANNELS; i++)
        close(pipes[i][0]);
    let_go_of_inherited(arguments);
    end_with(front);
    int code = work(opaque);
    say_code(code);
    return code;
}

/* ---- signals ---- */

bool front_is_second_signal(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double since_s = (double)(now.tv_sec - first_signal.tv_sec) +
                           (double)(now.tv_nsec - first_signal.tv_nsec) / 1e9;
    if (signalled)
        return since_s > SAME_SIGNAL_S;
    first_signal = now;
    signalled = 1;
    return false;
}

/* The worker ends with what it knows; a second signal ends everything. */
static void on_signal(int number)
{
    const int os_errno = errno;
    if (front_is_second_signal()) {
        kill(worker_pid, SIGKILL);
        _exit(EXIT_INTERRUPTED);
    }
    kill(worker_pid, number);
    errno = os_errno;
}

static void pass_signals_on(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* writes report it */
}

/* ---- printing ---- */

struct front {
    int from[CHANNELS]; /* -1: closed */
    int code;           /* of the worker; negative: not known yet */
    int write_errno;    /* of standard output */
};

static void stop_listening(struct front *front, int channel)
{
    if (front->from[channel] >= 0)
        close(front->from[channel]);
    front->from[channel] = -1;
}

/* Whoever opened it may have made it one that does not wait. */
static void await_room(int descriptor)
{
    struct pollfd polled = {.fd = descriptor, .events = POLLOUT};
    poll(&polled, 1, -1);
}

/* 0, or the errno that stopped it. */
static int write_all(int descriptor, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, text, size);
        if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            await_room(descriptor);
        else if (written < 0 && errno != EINTR)
            return errno;
        if (written < 0)
            continue;
        text += written;
        size -= (size_t)written;
    }
    return 0;
}

/* False when there is nothing more to come now. */
static bool relay(struct front *front, int channel)
{
    char buffer[65536];
    ssize_t count = front->from[channel] < 0 ? 0
                                             : read(front->from[channel], buffer, sizeof buffer);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (count <= 0) {
        stop_listening(front, channel);
        return false;
    }
    if (channel == CODE)
        front->code = (unsigned char)buffer[0];
    else if (channel == ERRORS)
        write_all(STDERR_FILENO, buffer, (size_t)count); /* there is nobody else to tell */
    else
        front->write_errno = write_all(STDOUT_FILENO, buffer, (size_t)count);
    /* The worker then learns that nobody reads. */
    if (front->write_errno)
        stop_listening(front, OUTPUT);
    return true;
}

/* What is said of the result stands before it. */
static void relay_all(struct front *front)
{
    while (relay(front, ERRORS))
        ;
    while (relay(front, OUTPUT))
        ;
}

/* Until the worker has told its code, or has ended without. */
static void listen_to(struct front *front)
{
    while (front->code < 0 && front->from[CODE] >= 0) {
        struct pollfd polled[CHANNELS];
        for (int i = 0; i < CHANNELS; i++)
            polled[i] = (struct pollfd){.fd = front->from[i], .events = POLLIN};
        if (poll(polled, CHANNELS, -1) < 0 && errno != EINTR)
            break;
        relay(front, CODE);
        relay_all(front);
    }
    relay_all(front);
}

static int tell_death(int number)
{
    fprintf(stderr, "streamcalc: ended by signal %d (%s)\n", number, strsignal(number));
    return EXIT_FAILED;
}

/* Its own word counts, unless it was ended before it said it, or failed on its last steps. */
static void await_end(struct front *front, pid_t worker)
{
    const struct timespec nap = {0, 5000000};
    int status = 0;
    for (int waited_ms = 0; front->code < 0 || waited_ms < END_WAIT_MS; waited_ms += 5) {
        pid_t ended = waitpid(worker, &status, WNOHANG);
        if (ended == worker) {
            if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPIPE)
                front->code = tell_death(WTERMSIG(status));
            else if (WIFEXITED(status))
                front->code = WEXITSTATUS(status);
            break;
        }
        if (ended < 0 && errno != EINTR)
            break;
        relay_all(front);
        nanosleep(&nap, NULL);
    }
    relay_all(front);
}

static int finish(struct front *front)
{
    if (!front->write_errno && close(STDOUT_FILENO) != 0)
        front->write_errno = errno;
    if (front->write_errno == EPIPE) {
        /* Nobody reads any more: end as any other program in a pipe does. */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    if (front->write_errno) {
        fprintf(stderr, "streamcalc: cannot write to standard output: %s\n",
                strerror(front->write_errno));
        return EXIT_FAILED;
    }
    return front->code < 0 ? EXIT_FAILED : front->code;
}

static bool open_pipes(int pipes[CHANNELS][2])
{
    for (int i = 0; i < CHANNELS; i++)
        pipes[i][0] = pipes[i][1] = -1;
    for (int i = 0; i < CHANNELS; i++) {
        if (pipe(pipes[i]) != 0)
            return false;
        fcntl(pipes[i][0], F_SETFD, FD_CLOEXEC);
        fcntl(pipes[i][1], F_SETFD, FD_CLOEXEC);
        fcntl(pipes[i][0], F_SETFL, O_NONBLOCK);
    }
    return true;
}

static void close_pipes(int pipes[CHANNELS][2], int end)
{
    for (int i = 0; i < CHANNELS; i++)
        if (pipes[i][end] >= 0)
            close(pipes[i][end]);
}

int front_run(int (*work)(void *opaque), void *opaque, char **arguments)
{
    struct front front = {.code = -1};
    int pipes[CHANNELS][2];
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t here = getpid();
    pid_t worker = open_pipes(pipes) ? fork() : -1;
    if (worker == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return be_worker(work, opaque, arguments, here, pipes);
    }
    close_pipes(pipes, 1);
    if (worker < 0) {
        close_pipes(pipes, 0);
        sigprocmask(SIG_SETMASK, &before, NULL);
        return work(opaque);
    }
    worker_pid = worker;
    pass_signals_on();
    sigprocmask(SIG_SETMASK, &before, NULL);
    for (int i = 0; i < CHANNELS; i++)
        front.from[i] = pipes[i][0];
    listen_to(&front);
    await_end(&front, worker);
    return finish(&front);
}
