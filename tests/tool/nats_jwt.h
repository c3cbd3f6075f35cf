/* nats_jwt.h -- an operator, an account with JetStream and a user of a NATS server, as JWTs signed
 * with Ed25519 (what NATS calls decentralised authentication). */
#ifndef HD_TESTS_NATS_JWT_H
#define HD_TESTS_NATS_JWT_H
#include "base/text.h"

/* Settings of a server that trusts our operator, appended. */
void jwt_write_settings(hd_text *out);
/* A file of credentials of a user, appended: of our account, or of one that the server does not
 * know. */
void jwt_write_credentials(hd_text *out, bool is_of_stranger);
#endif
