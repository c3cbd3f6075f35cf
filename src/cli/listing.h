/* listing.h -- the form that `tests`, `findings` and `units` share: DIR, perhaps a number, --json. */
#ifndef HD_CLI_LISTING_H
#define HD_CLI_LISTING_H
#include "cli/cli.h"
#include "record/record.h"

typedef struct hd_record_listing {
    const char *directory;
    uint64_t number; /* 0: all */
    bool json;
    hd_record *record;
} hd_record_listing;

extern const hd_option_table hd_listing_options;
/* Parse the command line and open the record; `what` is "test", "finding" or "unit". */
bool hd_record_listing_open(hd_record_listing *l, const char *what, int argc, char **argv,
                            hd_err *err);
void hd_record_listing_close(hd_record_listing *l);
/* "no finding 9 in 'heddle-out': ..." */
bool hd_record_listing_missing(const hd_record_listing *l, const char *what, hd_err *err);
#endif
