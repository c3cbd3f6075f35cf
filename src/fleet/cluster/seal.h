/* seal.h -- who may speak in a run: a key that all its machines have, and a code under every
 * message.
 *
 * The server carries messages and is not believed: whoever can write to its streams could have
 * workers run any code.  So a message ends with an HMAC-SHA256 of its subject and its bytes under
 * the key of the run, which travels from machine to machine in a file (the token), never through
 * the server.
 *
 * E1. What was sealed verifies, and what does not is as if it had never come.
 * E2. A message means nothing under another subject or in another run.
 * Not here: secrecy on the way (TLS, line.h). */
#ifndef HD_FLEET_CLUSTER_SEAL_H
#define HD_FLEET_CLUSTER_SEAL_H
#include "base/err.h"
#include "base/text.h"

#include <stdint.h>

#define HD_KEY_SIZE  32
#define HD_SEAL_SIZE 32 /* bytes behind a message */
#define HD_RUN_NAME  48 /* bytes of a run's name, its end included */
#define HD_HASH_SIZE 65 /* of a hash in hexadecimal digits, its end included */

typedef struct hd_seal {
    char run[HD_RUN_NAME];
    uint8_t key[HD_KEY_SIZE];
} hd_seal;

/* Is this a name for a run: letters, digits, '-' and '_'?  It is a part of subjects. */
bool hd_run_name_check(const char *name, hd_err *err);
/* A new key for a run. */
bool hd_seal_make(hd_seal *s, const char *run, hd_err *err);
/* To a file that nobody else may read, which must not be there yet, and back. */
bool hd_seal_write(const hd_seal *s, const char *path, hd_err *err);
bool hd_seal_read(hd_seal *s, const char *path, hd_err *err);

/* Put the code behind the message. */
void hd_seal_close(const hd_seal *s, const char *subject, hd_text *message);
/* How long the message is without its code; false if the code is not right. */
bool hd_seal_open(const hd_seal *s, const char *subject, const void *bytes, size_t n,
                  size_t *length);

/* SHA-256 in hexadecimal digits: what things are named by. */
void hd_hash_name(const void *bytes, size_t n, char name[HD_HASH_SIZE]);
#endif
