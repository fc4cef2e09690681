#include "measure/mark.h"

#include "io/os.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char MAGIC[] = "streamcalc test data 1\n"
                            "Made to measure this storage; it may be deleted.\n"
                            "host=";
static const char MACHINE[] = "machine=";
static const int64_t OVER_AFTER_S = 7 * 86400;

sci_mark sci_mark_now(void)
{
    sci_mark mark = {.pid = getpid(), .made_s = (int64_t)time(NULL)};
    sci_os_host_name(mark.host, sizeof mark.host);
    mark.machine = sci_os_machine();
    return mark;
}

void sci_mark_name(const sci_mark *mark, char name[SCI_MARK_NAME_MAX])
{
    snprintf(name, SCI_MARK_NAME_MAX, ".streamcalc-test-%" PRId64 "-%" PRId64 "-%" PRId32 ".bin",
             mark->pid, mark->made_s, mark->number);
}

bool sci_mark_from_name(const char *name, sci_mark *mark)
{
    char again[SCI_MARK_NAME_MAX];
    *mark = (sci_mark){0};
    if (sscanf(name, ".streamcalc-test-%18" SCNd64 "-%18" SCNd64 "-%9" SCNd32, &mark->pid,
               &mark->made_s, &mark->number) != 3)
        return false;
    sci_mark_name(mark, again);
    return mark->pid > 0 && mark->pid <= INT32_MAX && mark->made_s > 0 && mark->number >= 0 &&
           strcmp(name, again) == 0;
}

void sci_mark_write(const sci_mark *mark, char bytes[SCI_MARK_BYTES])
{
    memset(bytes, 0, SCI_MARK_BYTES);
    snprintf(bytes, SCI_MARK_BYTES, "%s%s\n%s%016" PRIx64 "\n", MAGIC, mark->host, MACHINE,
             mark->machine);
}

static bool read_machine(const char *line, size_t room, uint64_t *machine)
{
    enum { DIGITS = 16 };
    const size_t length = sizeof MACHINE - 1;
    char digits[DIGITS + 1] = "";
    if (room <= length + DIGITS || memcmp(line, MACHINE, length) != 0 ||
        line[length + DIGITS] != '\n')
        return false;
    memcpy(digits, line + length, DIGITS);
    *machine = strtoull(digits, NULL, 16);
    return strspn(digits, "0123456789abcdef") == DIGITS;
}

bool sci_mark_read(const char bytes[SCI_MARK_BYTES], sci_mark *mark)
{
    const size_t length = sizeof MAGIC - 1;
    if (memcmp(bytes, MAGIC, length) != 0)
        return false;
    const char *host = bytes + length;
    const char *end = memchr(host, '\n', SCI_MARK_BYTES - length);
    if (!end || (size_t)(end - host) >= sizeof mark->host)
        return false;
    memcpy(mark->host, host, (size_t)(end - host));
    mark->host[end - host] = '\0';
    return read_machine(end + 1, (size_t)(bytes + SCI_MARK_BYTES - (end + 1)), &mark->machine);
}

/* A number of another machine's process says nothing here. Many are called "localhost", and a
   container may show the identity of the machine that it runs on: both have to agree. */
static bool is_same_machine(const sci_mark *mark, const sci_mark *now)
{
    return *mark->host && strcmp(mark->host, now->host) == 0 && mark->machine != 0 &&
           mark->machine == now->machine;
}

bool sci_mark_is_over(const sci_mark *mark)
{
    sci_mark now = sci_mark_now();
    if (now.made_s - mark->made_s > OVER_AFTER_S)
        return true;
    return is_same_machine(mark, &now) && kill((pid_t)mark->pid, 0) != 0 && errno == ESRCH;
}
