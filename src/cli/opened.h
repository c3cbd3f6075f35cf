/* opened.h -- which programs this user has opened the machine to, with `--allow`.
 *
 * A run keeps what its program was allowed, and whoever looks at the run executes the program
 * again: `replay`, `report`, `serve` and others.  A run directory that somebody else has made may
 * say
 * `--allow all`, and looking at it would run any code without walls.  So what a run says is
 * believed only if this user has said the same of the same program here before; that is remembered
 * beside the cache of modules, by a hash of the image, of what was allowed, and of the directory
 * that relative paths belong to.
 *
 * Promise (tests/strangers.sh): nothing that stands in a run directory opens anything by itself.
 * Rejected: owners of files and places of directories, which an archive that is unpacked has right.
 * Not here: machines of a cluster, which have a key (fleet/cluster/seal.h). */
#ifndef HD_CLI_OPENED_H
#define HD_CLI_OPENED_H
#include "cli/run_options.h"
#include "record/record.h"

/* The user says so, now.  Without a cache it is forgotten. */
void hd_opened_note(const hd_record *record, const hd_kept_options *kept, const char *allow);
/* Has this user said so before?  Nothing to open needs no word. */
bool hd_opened_before(const hd_record *record, const hd_kept_options *kept, const char *allow);
#endif
