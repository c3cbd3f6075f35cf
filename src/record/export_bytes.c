/* Tests in forms of other tools: what each request of the program got, as bytes or as values.
 *
 * A request is a call of heddle_input and the like, or of a function of another tool that compat/
 * has. None of these forms knows objects behind pointers. */
#include "record/record.h"

#include <errno.h>
#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool hd_test_has_objects(const hd_test *t) {
    for (uint32_t i = 0; i < t->n_inputs; i++)
        if (t->inputs[i].kind == HD_VAR_POINTER && t->inputs[i].value)
            return true;
    return false;
}

static bool write_bytes(const char *path, const hd_text *text, hd_err *err) {
    FILE *file = fopen(path, "w");
    bool ok = file && fwrite(text->n ? text->at : "", 1, text->n, file) == text->n;
    if (file && fclose(file) != 0)
        ok = false;
    return ok || hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
}

static bool refuse_objects(const hd_test *t, hd_err *err) {
    if (!hd_test_has_objects(t))
        return true;
    hd_err_set(err,
               "cannot export test %" PRIu64 " in this form: it has objects behind input pointers",
               t->number);
    return hd_err_hint(err, "'heddle export --c' and '--test' have them");
}

/* ---- requests ---- */

typedef struct input_request {
    uint64_t number;
    char *name;
    hd_text bytes;
} input_request;
typedef hd_vec(input_request) input_requests;

/* "data[3]" is of data, "p.x" of p. */
static char *name_of_request(const char *cell) {
    size_t n = strcspn(cell ? cell : "", "[.");
    return n ? hd_text_format("%.*s", (int)n, cell) : hd_text_format("input");
}

static input_request *request_of(input_requests *all, const hd_stored_input *in) {
    size_t at = 0;
    while (at < all->n && all->at[at].number < in->request)
        at++;
    if (at < all->n && all->at[at].number == in->request)
        return &all->at[at];
    hd_vec_push(all, (input_request){0});
    memmove(&all->at[at + 1], &all->at[at], (all->n - 1 - at) * sizeof *all->at);
    all->at[at] = (input_request){.number = in->request, .name = name_of_request(in->name)};
    return &all->at[at];
}

static void put_bits(hd_text *bytes, const hd_stored_input *in) {
    uint64_t end = (in->bit_offset + in->width + 7) / 8;
    while (bytes->n < end)
        hd_text_add_bytes(bytes, "", 1);
    for (unsigned i = 0; i < in->width; i++)
        if (in->value >> i & 1)
            bytes->at[(in->bit_offset + i) / 8] |= (char)(1u << (in->bit_offset + i) % 8);
}

static void list_requests(const hd_test *t, input_requests *all) {
    for (uint32_t i = 0; i < t->n_inputs; i++)
        if (t->inputs[i].is_root)
            put_bits(&request_of(all, &t->inputs[i])->bytes, &t->inputs[i]);
}

static void release_requests(input_requests *all) {
    for (size_t i = 0; i < all->n; i++) {
        free(all->at[i].name);
        hd_text_release(&all->at[i].bytes);
    }
    hd_vec_release(all);
}

/* ---- KLEE: a .ktest file ---- */

static void add_big(hd_text *out, uint32_t value) {
    unsigned char bytes[] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                             (unsigned char)(value >> 8), (unsigned char)value};
    hd_text_add_bytes(out, bytes, sizeof bytes);
}

static void add_sized(hd_text *out, const char *bytes, size_t n) {
    add_big(out, (uint32_t)n);
    hd_text_add_bytes(out, bytes, n);
}

/* Version 3 of the format: arguments, two numbers about symbolic arguments, objects; all numbers
 * big endian. */
bool hd_export_ktest(hd_record *r, const hd_test *test, const char *path, hd_err *err) {
    (void)r;
    input_requests all = {0};
    hd_text out = {0};
    if (!refuse_objects(test, err))
        return false;
    list_requests(test, &all);
    hd_text_add_bytes(&out, "KTEST", 5);
    add_big(&out, 3);
    add_big(&out, 1);
    add_sized(&out, "program", 7);
    add_big(&out, 0);
    add_big(&out, 0);
    add_big(&out, (uint32_t)all.n);
    for (size_t i = 0; i < all.n; i++) {
        add_sized(&out, all.at[i].name, strlen(all.at[i].name));
        add_sized(&out, all.at[i].bytes.n ? all.at[i].bytes.at : "", all.at[i].bytes.n);
    }
    bool ok = write_bytes(path, &out, err);
    release_requests(&all);
    hd_text_release(&out);
    return ok;
}

/* ---- fuzzers: bytes ---- */

/* The data of LLVMFuzzerTestOneInput, whose size is a request of its own; else all inputs, one
 * after the other, as a program that reads them from standard input would. */
bool hd_export_corpus(hd_record *r, const hd_test *test, const char *path, hd_err *err) {
    (void)r;
    input_requests all = {0};
    hd_text out = {0};
    bool is_fuzzed = false;
    if (!refuse_objects(test, err))
        return false;
    list_requests(test, &all);
    for (size_t i = 0; i < all.n; i++)
        is_fuzzed |= all.n == 2 && i == 1 && strcmp(all.at[i].name, "data") == 0;
    for (size_t i = is_fuzzed; i < all.n; i++)
        if (all.at[i].bytes.n)
            hd_text_add_bytes(&out, all.at[i].bytes.at, all.at[i].bytes.n);
    bool ok = write_bytes(path, &out, err);
    release_requests(&all);
    hd_text_release(&out);
    return ok;
}

/* ---- Test-Comp: XML ---- */

static void add_escaped(hd_text *out, const char *text) {
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '<' || c == '>' || c == '&' || c == '"')
            hd_text_add(out, "&#%u;", c);
        else if (c >= ' ' && c < 127)
            hd_text_add(out, "%c", c);
        else
            hd_text_add(out, "?");
    }
}

static int by_request(const void *a, const void *b) {
    const hd_stored_input *x = *(const hd_stored_input *const *)a,
                          *y = *(const hd_stored_input *const *)b;
    if (x->request != y->request)
        return x->request < y->request ? -1 : 1;
    return x->bit_offset < y->bit_offset ? -1 : x->bit_offset > y->bit_offset;
}

static void add_value(hd_text *out, const hd_stored_input *in) {
    unsigned unused = in->width >= 64 ? 0 : 64u - in->width;
    hd_text_add(out, "  <input variable=\"");
    add_escaped(out, in->name);
    if (in->is_signed)
        hd_text_add(out, "\">%" PRId64 "</input>\n", (int64_t)(in->value << unused) >> unused);
    else
        hd_text_add(out, "\">%" PRIu64 "</input>\n", in->value);
}

bool hd_export_xml(hd_record *r, const hd_test *test, const char *path, hd_err *err) {
    (void)r;
    hd_vec(const hd_stored_input *) cells = {0};
    hd_text out = {0};
    if (!refuse_objects(test, err))
        return false;
    for (uint32_t i = 0; i < test->n_inputs; i++)
        if (test->inputs[i].is_root)
            hd_vec_push(&cells, &test->inputs[i]);
    if (cells.n)
        qsort(cells.at, cells.n, sizeof *cells.at, by_request);
    hd_text_add(
        &out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
              "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" "
              "\"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n");
    for (size_t i = 0; i < cells.n; i++)
        add_value(&out, cells.at[i]);
    hd_text_add(&out, "</testcase>\n");
    bool ok = write_bytes(path, &out, err);
    hd_vec_release(&cells);
    hd_text_release(&out);
    return ok;
}

static void add_element(hd_text *out, const char *name, const char *text) {
    hd_text_add(out, "  <%s>", name);
    add_escaped(out, text);
    hd_text_add(out, "</%s>\n", name);
}

static void add_hash(hd_text *out, const char *file) {
    hd_text bytes = {0};
    struct sha256_ctx sum;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[2 * SHA256_DIGEST_SIZE + 1] = "";
    hd_text_read_file(&bytes, file);
    sha256_init(&sum);
    sha256_update(&sum, bytes.n, (const uint8_t *)hd_text_string(&bytes));
    sha256_digest(&sum, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    add_element(out, "programhash", text);
    hd_text_release(&bytes);
}

bool hd_export_xml_metadata(const char *file, const char *function, const char *path, hd_err *err) {
    hd_text out = {0};
    char now[32];
    time_t seconds = time(NULL);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
    hd_text_add(&out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
                "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format "
                "test-metadata 1.1//EN\" "
                "\"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n");
    add_element(&out, "sourcecodelang", "C");
    add_element(&out, "producer", "heddle " HD_VERSION);
    add_element(&out, "specification", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )");
    add_element(&out, "programfile", file);
    add_hash(&out, file);
    add_element(&out, "entryfunction", function ? function : "main");
    add_element(&out, "architecture", "64bit");
    add_element(&out, "creationtime", now);
    hd_text_add(&out, "</test-metadata>\n");
    bool ok = write_bytes(path, &out, err);
    hd_text_release(&out);
    return ok;
}
