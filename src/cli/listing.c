/* Parsing that is the same for every command that lists something of a run. */
#include "cli/listing.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct listing_values {
    bool json;
} listing_values;

static const hd_option options[] = {
    {"json", 0, HD_OPTION_FLAG, offsetof(listing_values, json), NULL,
     "print one JSON object on standard output", NULL, false},
};
const hd_option_table hd_listing_options = {options, 1, false, false};

static bool take_words(hd_record_listing *l, const hd_arguments *a, const char *what, hd_err *err) {
    if (a->files.n == 0 || a->files.n > 2) {
        hd_err_set(err, "%s", a->files.n ? "too many arguments" : "no run directory given");
        return hd_err_hint(err, "write 'heddle %ss DIR [N]', for example 'heddle %ss heddle-out'",
                           what, what);
    }
    char kind[32];
    snprintf(kind, sizeof kind, "%s number", what);
    l->directory = a->files.at[0];
    return a->files.n < 2 || hd_parse_number(a->files.at[1], kind, &l->number, err);
}

bool hd_record_listing_open(hd_record_listing *l, const char *what, int argc, char **argv,
                            hd_err *err) {
    listing_values values = {0};
    hd_arguments a = {0};
    bool taken = hd_options_parse(&hd_listing_options, argc, argv, &values, &a, err) &&
                 take_words(l, &a, what, err);
    hd_arguments_release(&a);
    l->json = values.json;
    l->record = taken ? hd_record_open(l->directory, false, err) : NULL;
    return l->record != NULL;
}

void hd_record_listing_close(hd_record_listing *l) {
    if (l->record)
        hd_record_close(l->record);
}

bool hd_record_listing_missing(const hd_record_listing *l, const char *what, hd_err *err) {
    hd_err_set(err, "there is no %s %" PRIu64 " in '%s'", what, l->number, l->directory);
    return hd_err_hint(err, "'heddle %ss %s' lists those there are", what, l->directory);
}
