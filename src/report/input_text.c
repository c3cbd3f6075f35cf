/* Inputs of a test as text.  Programs that read bytes have dozens of inputs named
 * "buf[0]", "buf[1]", ...: a run of them is shown as one string. */
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

static bool is_printable(uint64_t c) {
    return c >= 32 && c < 127;
}

static int64_t signed_value(const hd_stored_input *in) {
    unsigned shift = in->width >= 64 ? 0 : 64u - in->width;
    return (int64_t)(in->value << shift) >> shift;
}

static void print_pointer(const hd_test *test, uint32_t index, hd_text *out) {
    uint64_t target = test->inputs[index].value;
    if (target == 0)
        hd_text_add(out, "NULL");
    else if (target - 1 == index || target > test->n_inputs)
        hd_text_add(out, "new object");
    else
        hd_text_add(out, "object of '%s'", test->inputs[target - 1].name);
}

void hd_input_print(const hd_test *test, uint32_t index, hd_text *out) {
    const hd_stored_input *in = &test->inputs[index];
    if (in->kind == HD_VAR_POINTER) {
        print_pointer(test, index, out);
        return;
    }
    if (in->is_signed)
        hd_text_add(out, "%" PRId64, signed_value(in));
    else
        hd_text_add(out, "%" PRIu64, in->value);
    if (in->width == 8 && is_printable(in->value))
        hd_text_add(out, " '%c'", (int)in->value);
}

/* The length of "buf" in "buf[7]" if that is element number `element` of it, else 0. */
static size_t element_name(const char *name, uint32_t element) {
    const char *bracket = strrchr(name, '[');
    char expected[16];
    snprintf(expected, sizeof expected, "[%" PRIu32 "]", element);
    return bracket && strcmp(bracket, expected) == 0 ? (size_t)(bracket - name) : 0;
}

/* How many inputs from `first` on are the bytes 0, 1, 2, ... of one array. */
static uint32_t count_bytes(const hd_test *test, uint32_t first) {
    size_t length = element_name(test->inputs[first].name, 0);
    uint32_t n = 0;
    while (length && first + n < test->n_inputs) {
        const hd_stored_input *in = &test->inputs[first + n];
        if (in->kind != HD_VAR_INTEGER || in->width != 8 || element_name(in->name, n) != length ||
            strncmp(in->name, test->inputs[first].name, length) != 0)
            break;
        n++;
    }
    return n;
}

static void print_byte(uint64_t c, hd_text *out) {
    if (c == '\n')
        hd_text_add(out, "\\n");
    else if (c == '"' || c == '\\')
        hd_text_add(out, "\\%c", (int)c);
    else if (is_printable(c))
        hd_text_add(out, "%c", (int)c);
    else
        hd_text_add(out, "\\%03o", (unsigned)c & 255);
}

static void print_string(const hd_test *test, uint32_t first, uint32_t n, hd_text *out) {
    const char *name = test->inputs[first].name;
    hd_text_add(out, "%.*s = \"", (int)element_name(name, 0), name);
    for (uint32_t i = 0; i < n; i++)
        print_byte(test->inputs[first + i].value, out);
    hd_text_add(out, "\"");
}

void hd_test_faults(const hd_test *test, hd_text *out) {
    for (uint32_t i = 0; i < test->n_inputs; i++)
        if (test->inputs[i].value && hd_fault_is_name(test->inputs[i].name))
            hd_text_add(out, "%s%s", out->n ? ", " : "", test->inputs[i].name);
}

uint32_t hd_inputs_count(const hd_test *test) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < test->n_inputs; i++)
        n += !hd_fault_is_name(test->inputs[i].name);
    return n;
}

void hd_inputs_print(const hd_test *test, size_t limit, hd_text *out) {
    size_t start = out->n;
    for (uint32_t i = 0; i < test->n_inputs;) {
        if (hd_fault_is_name(test->inputs[i].name)) {
            i++;
            continue;
        }
        if (limit && out->n - start > limit) {
            hd_text_add(out, ", ...");
            return;
        }
        if (out->n > start)
            hd_text_add(out, ", ");
        uint32_t bytes = count_bytes(test, i);
        if (bytes >= 2) {
            print_string(test, i, bytes, out);
            i += bytes;
            continue;
        }
        hd_text_add(out, "%s = ", test->inputs[i].name);
        hd_input_print(test, i, out);
        i++;
    }
}
