#include "measure/mark.h"

#include "io/os.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char MAGIC[] = "streamcalc test data 1\n"
                            "Made to measure this storage; it may be deleted.\n"
                            "host=";
static const char MACHINE[] = "machine=", SPACE[] = "processes=";
static const int64_t OVER_AFTER_S = 7 * 86400;

sci_mark sci_mark_now(void)
{
    sci_mark mark = {.pid = getpid(), .made_s = (int64_t)time(NULL)};
    sci_os_host_name(mark.host, sizeof mark.host);
    mark.machine = sci_os_machine();
    mark.space = sci_os_process_space();
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
    snprintf(bytes, SCI_MARK_BYTES, "%s%s\n%s%016" PRIx64 "\n%s%016" PRIx64 "\n", MAGIC, mark->host,
             MACHINE, mark->machine, SPACE, mark->space);
}

/* A line of "name=" and 16 digits. What stands behind it, or NULL where it is none. */
static const char *read_number(const char *line, const char *end, const char *name,
                               uint64_t *number)
{
    enum { DIGITS = 16 };
    const size_t length = strlen(name);
    char digits[DIGITS + 1] = "";
    if ((size_t)(end - line) <= length + DIGITS || memcmp(line, name, length) != 0 ||
        line[length + DIGITS] != '\n')
        return NULL;
    memcpy(digits, line + length, DIGITS);
    *number = strtoull(digits, NULL, 16);
    return strspn(digits, "0123456789abcdef") == DIGITS ? line + length + DIGITS + 1 : NULL;
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
    mark->space = 0;
    const char *behind = bytes + SCI_MARK_BYTES;
    const char *next = read_number(end + 1, behind, MACHINE, &mark->machine);
    if (next && !read_number(next, behind, SPACE, &mark->space))
        mark->space = 0;
    return next != NULL;
}

/* A number of another machine's process says nothing here, nor does one of a container's. Many are
   called "localhost", and a container may show the identity and the name of the machine that it
   runs on: all have to agree. */
static bool is_same_machine(const sci_mark *mark, const sci_mark *now)
{
    return *mark->host && strcmp(mark->host, now->host) == 0 && mark->machine != 0 &&
           mark->machine == now->machine && mark->space != 0 && mark->space == now->space;
}

bool sci_mark_is_over(const sci_mark *mark)
{
    sci_mark now = sci_mark_now();
    if (now.made_s - mark->made_s > OVER_AFTER_S)
        return true;
    return is_same_machine(mark, &now) && sci_os_process_ended(mark->pid);
}
