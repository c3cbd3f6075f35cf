#include "cli/given_partition.h"

#include "partition/ssp.h"

#include <string.h>
#include <unistd.h>

bool hd_given_partition(const char *word, hd_partition_request *request, hd_err *err) {
    request->kind = strcmp(word, "ssp") == 0     ? HD_PARTITION_SSP
                    : strcmp(word, "paths") == 0 ? HD_PARTITION_PATHS
                                                 : HD_PARTITION_FILE;
    request->file = word;
    if (request->kind != HD_PARTITION_FILE || access(word, R_OK) == 0)
        return true;
    hd_err_set(err, "'--partition %s' names neither a way of dividing nor a file", word);
    return hd_err_hint(err, "it takes ssp, paths or a file of conditions, and for 'heddle run' "
                            "none");
}

bool hd_given_rivals(const char *word) {
    return strcmp(word, "none") == 0;
}

static bool is_between(const char *option, uint64_t value, uint64_t least, uint64_t most,
                       hd_err *err) {
    if (value >= least && value <= most)
        return true;
    hd_err_set(err, "'--%s' takes a number from %llu to %llu", option, (unsigned long long)least,
               (unsigned long long)most);
    return hd_err_hint(err, "see 'heddle help partition'");
}

bool hd_given_partition_check(uint64_t depth, uint64_t queue, hd_err *err) {
    return is_between("shallow-depth", depth, 1, 100000, err) &&
           is_between("queue", queue, 1, HD_MOST_PARTS, err);
}
