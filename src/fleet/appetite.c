/* Asking /proc (appetite.h). */
#include "fleet/appetite.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEAST_MORE (UINT64_C(64) << 20)

/* The number behind a word at the beginning of a line; 0 if there is none. */
static uint64_t number_behind(const char *text, const char *word) {
    const char *at = strstr(text, word);
    return at && (at == text || at[-1] == '\n') ? strtoull(at + strlen(word), NULL, 10) : 0;
}

static bool read_of(pid_t pid, const char *file, hd_text *out) {
    char path[64];
    snprintf(path, sizeof path, file, (int)pid, (int)pid);
    hd_text_clear(out);
    return hd_text_read_file(out, path) && out->n;
}

static void add(hd_appetite *a, pid_t pid, hd_text *text) {
    if (!read_of(pid, "/proc/%d/status", text))
        return;
    const char *status = hd_text_string(text);
    uint64_t memory = 1024 * (number_behind(status, "VmRSS:") + number_behind(status, "VmPTE:"));
    if (memory >= a->memory) {
        a->memory = memory;
        a->process = pid;
    }
    a->threads += (uint32_t)number_behind(status, "Threads:");
}

/* Children of children are rare (confine/confine.h), and nobody's when their parent is gone
 * (leftovers.h). */
hd_appetite hd_appetite_of(pid_t pid) {
    hd_appetite a = {0};
    hd_text text = {0}, children = {0};
    if (pid <= 0)
        return a;
    add(&a, pid, &text);
    if (read_of(pid, "/proc/%d/task/%d/children", &children))
        for (char *at = children.at, *end; *at; at = end) {
            pid_t child = (pid_t)strtol(at, &end, 10);
            if (end == at)
                break;
            add(&a, child, &text);
        }
    hd_text_release(&text);
    hd_text_release(&children);
    return a;
}

/* "max", or nothing to read, is no bound. */
static uint64_t memory_of_group(void) {
    hd_text text = {0};
    uint64_t most = 0;
    if (hd_text_read_file(&text, "/sys/fs/cgroup/memory.max"))
        most = strtoull(hd_text_string(&text), NULL, 10);
    hd_text_release(&text);
    return most;
}

uint64_t hd_memory_in_all(void) {
    uint64_t group = memory_of_group();
    uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return group && group < machine ? group : machine;
}

uint64_t hd_memory_of_one(uint64_t max_memory) {
    uint64_t more = max_memory / 4;
    return max_memory ? max_memory + (more > LEAST_MORE ? more : LEAST_MORE) : 0;
}
