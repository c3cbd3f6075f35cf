/* NKeys and JWTs (nats_jwt.h): keys are base32 texts with a kind and a checksum, tokens are signed
 * by the key of who vouches for somebody. */
#include "tool/nats_jwt.h"

#include <nettle/base64.h>
#include <nettle/eddsa.h>
#include <string.h>

/* The letter that a key of the kind begins with. */
typedef enum kind { OPERATOR = 14 << 3, ACCOUNT = 0, USER = 20 << 3, SEED = 18 << 3 } kind;

typedef struct identity {
    kind kind;
    uint8_t seed[ED25519_KEY_SIZE], key[ED25519_KEY_SIZE];
    char name[64]; /* the public key */
} identity;

/* ---- keys ---- */

static void encode_base32(const uint8_t *bytes, size_t n, char *out) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    uint32_t bits = 0;
    unsigned n_bits = 0;
    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | bytes[i];
        for (n_bits += 8; n_bits >= 5; n_bits -= 5)
            *out++ = letters[bits >> (n_bits - 5) & 31];
    }
    if (n_bits)
        *out++ = letters[bits << (5 - n_bits) & 31];
    *out = '\0';
}

/* CRC-16, polynomial 0x1021. */
static uint16_t checksum(const uint8_t *bytes, size_t n) {
    uint16_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum ^= (uint16_t)(bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            sum = (uint16_t)(sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1);
    }
    return sum;
}

static void name_bytes(uint8_t *bytes, size_t n, char *out) {
    uint16_t sum = checksum(bytes, n);
    bytes[n] = (uint8_t)sum;
    bytes[n + 1] = (uint8_t)(sum >> 8);
    encode_base32(bytes, n + 2, out);
}

static identity make_identity(kind kind, uint8_t number) {
    identity who = {.kind = kind};
    uint8_t bytes[1 + ED25519_KEY_SIZE + 2] = {(uint8_t)kind};
    memset(who.seed, number, sizeof who.seed);
    ed25519_sha512_public_key(who.key, who.seed);
    memcpy(bytes + 1, who.key, sizeof who.key);
    name_bytes(bytes, 1 + sizeof who.key, who.name);
    return who;
}

static void name_seed(const identity *who, char out[80]) {
    uint8_t bytes[2 + ED25519_KEY_SIZE + 2] = {(uint8_t)(SEED | who->kind >> 5),
                                               (uint8_t)((who->kind & 31) << 3)};
    memcpy(bytes + 2, who->seed, sizeof who->seed);
    name_bytes(bytes, 2 + sizeof who->seed, out);
}

/* ---- tokens ---- */

static void add_base64(hd_text *out, const void *bytes, size_t n) {
    char encoded[4096];
    base64_encode_raw(encoded, n, bytes);
    size_t length = BASE64_ENCODE_RAW_LENGTH(n);
    while (length && encoded[length - 1] == '=')
        length--;
    for (size_t i = 0; i < length; i++) /* the alphabet for addresses */
        encoded[i] = encoded[i] == '+' ? '-' : encoded[i] == '/' ? '_' : encoded[i];
    hd_text_add_bytes(out, encoded, length);
}

static void add_token(hd_text *out, const identity *about, const identity *by, const char *claims) {
    static const char head[] = "{\"typ\":\"JWT\",\"alg\":\"ed25519-nkey\"}";
    uint8_t signature[ED25519_SIGNATURE_SIZE];
    hd_text token = {0}, body = {0};
    hd_text_add(&body,
                "{\"jti\":\"%.20s\",\"iat\":1700000000,\"iss\":\"%s\",\"name\":\"test\",\"sub\":"
                "\"%s\",\"nats\":{%s,\"version\":2}}",
                about->name, by->name, about->name, claims);
    add_base64(&token, head, strlen(head));
    hd_text_add(&token, ".");
    add_base64(&token, body.at, body.n);
    ed25519_sha512_sign(by->key, by->seed, token.n, (const uint8_t *)token.at, signature);
    hd_text_add(&token, ".");
    add_base64(&token, signature, sizeof signature);
    hd_text_add_bytes(out, token.at, token.n);
    hd_text_release(&token);
    hd_text_release(&body);
}

#define NO_LIMITS "\"subs\":-1,\"data\":-1,\"payload\":-1"
static const char of_operator[] = "\"type\":\"operator\"";
static const char of_account[] =
    "\"limits\":{" NO_LIMITS ",\"imports\":-1,\"exports\":-1,\"wildcards\":true,\"conn\":-1,"
    "\"leaf\":-1,\"mem_storage\":-1,\"disk_storage\":-1,\"streams\":-1,\"consumer\":-1},"
    "\"default_permissions\":{\"pub\":{},\"sub\":{}},\"type\":\"account\"";
static const char of_system[] =
    "\"limits\":{" NO_LIMITS ",\"imports\":-1,\"exports\":-1,\"wildcards\":true,\"conn\":-1,"
    "\"leaf\":-1},\"default_permissions\":{\"pub\":{},\"sub\":{}},\"type\":\"account\"";
static const char of_user[] = "\"pub\":{},\"sub\":{}," NO_LIMITS ",\"type\":\"user\"";

enum { THE_OPERATOR = 1, THE_SYSTEM, THE_ACCOUNT, THE_USER, A_STRANGER };

static void add_account(hd_text *out, const identity *account, const identity *by,
                        const char *claims) {
    hd_text_add(out, "  %s: \"", account->name);
    add_token(out, account, by, claims);
    hd_text_add(out, "\"\n");
}

void jwt_write_settings(hd_text *out) {
    identity boss = make_identity(OPERATOR, THE_OPERATOR);
    identity system = make_identity(ACCOUNT, THE_SYSTEM);
    identity account = make_identity(ACCOUNT, THE_ACCOUNT);
    hd_text_add(out, "operator: \"");
    add_token(out, &boss, &boss, of_operator);
    hd_text_add(out, "\"\nsystem_account: %s\nresolver: MEMORY\nresolver_preload: {\n",
                system.name);
    add_account(out, &system, &boss, of_system);
    add_account(out, &account, &boss, of_account);
    hd_text_add(out, "}\n");
}

void jwt_write_credentials(hd_text *out, bool is_of_stranger) {
    identity account = make_identity(ACCOUNT, is_of_stranger ? A_STRANGER : THE_ACCOUNT);
    identity user = make_identity(USER, THE_USER);
    char seed[80];
    name_seed(&user, seed);
    hd_text_add(out, "-----BEGIN NATS USER JWT-----\n");
    add_token(out, &user, &account, of_user);
    hd_text_add(out,
                "\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n%s\n------END "
                "USER NKEY SEED------\n",
                seed);
}
