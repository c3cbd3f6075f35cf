/* The records are those of LLVM 19 (version 7 of the format; docs/CoverageMappingFormat of LLVM
 * describes it): numbers are LEB128, lines are differences.  Each function has a section
 * "__llvm_covfun" of its own, and each object file one "__llvm_covmap" with the names of files. */
#include "cover/source_map.h"

#include "base/panic.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <nettle/md5.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define VERSION 6 /* as the header has it: one less than people count */

enum region_kind { CODE, EXPANSION, SKIPPED, GAP, BRANCH, DECISION, CONDITION };

/* ---- bytes ---- */

typedef struct mapping_reader {
    const uint8_t *at, *end;
    bool failed;
} mapping_reader;

static uint64_t read_number(mapping_reader *r) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (r->at == r->end)
            break;
        uint8_t byte = *r->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    r->failed = true;
    return 0;
}

static uint32_t read_below(mapping_reader *r, uint64_t limit) {
    uint64_t value = read_number(r);
    r->failed |= value >= limit;
    return r->failed ? 0 : (uint32_t)value;
}

static uint64_t name_of(const char *text, size_t n) {
    struct md5_ctx sum;
    uint8_t digest[MD5_DIGEST_SIZE];
    uint64_t first;
    md5_init(&sum);
    md5_update(&sum, n, (const uint8_t *)text);
    md5_digest(&sum, sizeof digest, digest);
    memcpy(&first, digest, sizeof first);
    return first;
}

/* ---- files ---- */

typedef struct object_reader {
    hd_mapped *into;
    hd_vec(uint32_t) files; /* numbers of the object's files -> those of the whole */
} object_reader;

static uint32_t number_file(hd_mapped *m, const char *path) {
    for (size_t i = 0; i < m->files.n; i++)
        if (strcmp(m->files.at[i], path) == 0)
            return (uint32_t)i;
    hd_vec_push(&m->files, hd_text_format("%s", path));
    return (uint32_t)m->files.n - 1;
}

/* The first name is the folder in which clang ran. */
static void add_file(object_reader *o, const char *folder, const char *name, size_t n) {
    char *path = o->files.n == 0 || name[0] == '/'
                     ? hd_text_format("%.*s", (int)n, name)
                     : hd_text_format("%s/%.*s", folder, (int)n, name);
    hd_vec_push(&o->files, number_file(o->into, path));
    free(path);
}

static bool read_files(object_reader *o, const Elf_Data *data) {
    uint32_t head[4];
    if (data->d_size < sizeof head)
        return false;
    memcpy(head, data->d_buf, sizeof head);
    if (head[3] != VERSION || head[1] > data->d_size - sizeof head)
        return false;
    const uint8_t *first = (const uint8_t *)data->d_buf + sizeof head;
    mapping_reader r = {first, first + head[1], false};
    uint64_t n = read_number(&r);
    read_number(&r); /* their size */
    if (read_number(&r) != 0)
        return false; /* squeezed: frontend.c asks for plain ones */
    for (uint64_t i = 0; i < n && !r.failed; i++) {
        uint64_t length = read_number(&r);
        r.failed |= length > (uint64_t)(r.end - r.at);
        if (r.failed)
            break;
        add_file(o, i ? o->into->files.at[o->files.at[0]] : "", (const char *)r.at, length);
        r.at += length;
    }
    return !r.failed && o->files.n > 0;
}

/* ---- functions ---- */

typedef struct expansion {
    bool is_used;
    uint32_t by; /* file of the record */
    hd_span at;
} expansion;

typedef struct function_reader {
    mapping_reader r;
    object_reader *object;
    hd_mapped_function *f;
    hd_vec(uint32_t) files; /* of the record */
    /* Of each: where it is used, if it is a macro or included inside a function. */
    hd_vec(expansion) uses;
} function_reader;

static hd_tally tally_of(uint64_t value) {
    return (hd_tally){(hd_tally_kind)(value & 3), (uint32_t)(value >> 2)};
}

/* A number of a counter is checked against how many there are when these are known. */
static hd_tally read_tally(function_reader *fr) {
    hd_tally t = tally_of(read_number(&fr->r));
    fr->r.failed |= t.kind >= HD_TALLY_MINUS && t.index >= fr->f->expressions.n;
    return t;
}

static void read_expressions(function_reader *fr) {
    uint64_t n = read_below(&fr->r, (uint64_t)(fr->r.end - fr->r.at) / 2 + 1); /* two bytes each */
    hd_vec_reserve(&fr->f->expressions, n + 1);
    fr->f->expressions.n = n; /* they may name each other */
    for (uint64_t i = 0; i < n && !fr->r.failed; i++) {
        hd_tally left = read_tally(fr), right = read_tally(fr);
        fr->f->expressions.at[i] = (hd_tally_pair){left, right};
    }
}

static hd_span read_span(function_reader *fr, uint32_t file, uint32_t *line, bool *is_gap) {
    hd_span s = {.file = fr->files.at[file]};
    *line += (uint32_t)read_number(&fr->r);
    s.line = *line;
    s.column = (uint32_t)read_number(&fr->r);
    s.end_line = s.line + (uint32_t)read_number(&fr->r);
    uint32_t end = (uint32_t)read_number(&fr->r);
    *is_gap = end >> 31;
    s.end_column = end & 0x7fffffff;
    return s;
}

static void read_region(function_reader *fr, uint32_t file, uint32_t *line) {
    uint64_t head = read_number(&fr->r);
    hd_mapped_branch b = {.condition = -1, .next = {-1, -1}, .record_file = file};
    hd_mapped_decision d = {.record_file = file};
    enum region_kind kind = CODE;
    hd_tally executed = {0};
    bool is_gap;
    if (head & 3) {
        executed = tally_of(head);
        fr->r.failed |= executed.kind >= HD_TALLY_MINUS && executed.index >= fr->f->expressions.n;
    } else if (head & 4) {
        kind = EXPANSION;
        fr->r.failed |= head >> 3 >= fr->uses.n;
    } else {
        kind = (enum region_kind)(head >> 3);
    }
    if (kind == BRANCH || kind == CONDITION) {
        b.taken[1] = read_tally(fr);
        b.taken[0] = read_tally(fr);
    }
    if (kind == CONDITION) {
        b.condition = (int32_t)read_below(&fr->r, INT16_MAX) - 1;
        b.next[1] = (int32_t)read_below(&fr->r, INT16_MAX) - 1;
        b.next[0] = (int32_t)read_below(&fr->r, INT16_MAX) - 1;
    }
    if (kind == DECISION) {
        d.end_vector = read_below(&fr->r, UINT32_MAX);
        d.n_conditions = read_below(&fr->r, INT16_MAX);
    }
    b.at = d.at = read_span(fr, file, line, &is_gap);
    if (kind > CONDITION)
        fr->r.failed = true;
    if (!fr->r.failed && kind == EXPANSION)
        fr->uses.at[head >> 3] = (expansion){true, file, b.at};
    if (!fr->r.failed && (kind == BRANCH || kind == CONDITION))
        hd_vec_push(&fr->f->branches, b);
    if (!fr->r.failed && kind == CODE && !is_gap)
        hd_vec_push(&fr->f->regions, ((hd_mapped_region){b.at, executed, file}));
    if (!fr->r.failed && kind == DECISION)
        hd_vec_push(&fr->f->decisions, d);
}

static void read_record(function_reader *fr) {
    uint32_t n_files = read_below(&fr->r, 1u << 20);
    for (uint32_t i = 0; i < n_files && !fr->r.failed; i++) {
        uint32_t file = read_below(&fr->r, fr->object->files.n);
        hd_vec_push(&fr->files, fr->r.failed ? 0 : fr->object->files.at[file]);
        hd_vec_push(&fr->uses, (expansion){0});
    }
    read_expressions(fr);
    for (uint32_t file = 0; file < n_files && !fr->r.failed; file++) {
        uint32_t line = 0;
        for (uint64_t n = read_number(&fr->r); n > 0 && !fr->r.failed; n--)
            read_region(fr, file, &line);
    }
}

/* What is in a macro is where the macro is used, to people. */
static void resolve(const function_reader *fr, hd_span *at, uint32_t *file) {
    for (size_t i = 0; i < fr->uses.n && fr->uses.at[*file].is_used; i++) {
        *at = fr->uses.at[*file].at;
        *file = fr->uses.at[*file].by;
    }
}

/* The file that is used by no other one is the one that people look at; decisions in others are
 * counted by nobody, llvm-cov included. */
static void find_file(function_reader *fr) {
    hd_mapped_function *f = fr->f;
    uint32_t main_file = 0;
    size_t kept = 0;
    while (main_file + 1 < fr->files.n && fr->uses.at[main_file].is_used)
        main_file++;
    f->file = fr->files.n ? fr->files.at[main_file] : 0;
    for (size_t i = 0; i < f->decisions.n; i++)
        if (f->decisions.at[i].record_file == main_file)
            f->decisions.at[kept++] = f->decisions.at[i];
    f->decisions.n = kept;
    for (size_t i = 0; i < f->branches.n; i++)
        resolve(fr, &f->branches.at[i].at, &f->branches.at[i].record_file);
    for (size_t i = 0; i < f->regions.n; i++)
        resolve(fr, &f->regions.at[i].at, &f->regions.at[i].record_file);
}

static void release_function(hd_mapped_function *f) {
    free(f->words);
    hd_vec_release(&f->expressions);
    hd_vec_release(&f->regions);
    hd_vec_release(&f->branches);
    hd_vec_release(&f->decisions);
}

static bool is_known(const hd_mapped *m, const hd_mapped_function *f) {
    for (size_t i = 0; i < m->functions.n; i++)
        if (m->functions.at[i].name == f->name && m->functions.at[i].hash == f->hash &&
            m->functions.at[i].file == f->file)
            return true;
    return false;
}

/* Files that Heddle adds to a program: the main of --function, assertions of a scenario, heddle.h.
 */
static bool is_added(const char *path) {
    static regex_t pattern;
    static bool is_made;
    if (!is_made)
        is_made = regcomp(&pattern, HD_ADDED_FILES, REG_EXTENDED | REG_NOSUB) == 0;
    return is_made && regexec(&pattern, path, 0, NULL, 0) == 0;
}

/* A record: name, size, hash, files, bytes; several may stand in one section. */
static bool read_functions(object_reader *o, const Elf_Data *data) {
    const uint8_t *at = data->d_buf, *end = at + data->d_size;
    while (end - at > 28) {
        hd_mapped_function f = {0};
        uint32_t size;
        memcpy(&f.name, at, 8);
        memcpy(&size, at + 8, 4);
        memcpy(&f.hash, at + 12, 8);
        if (size > (size_t)(end - at) - 28)
            return false;
        function_reader fr = {.r = {at + 28, at + 28 + size, false}, .object = o, .f = &f};
        read_record(&fr);
        bool ok = !fr.r.failed;
        if (ok)
            find_file(&fr);
        hd_vec_release(&fr.files);
        hd_vec_release(&fr.uses);
        /* One without code is a promise that another object has it. */
        if (ok && size && !is_known(o->into, &f) && !is_added(o->into->files.at[f.file]))
            hd_vec_push(&o->into->functions, f);
        else
            release_function(&f);
        if (!ok)
            return false;
        at += 28 + size;
        at += -(uintptr_t)(at - (const uint8_t *)data->d_buf) & 7;
    }
    return true;
}

/* ---- object files ---- */

static bool each_section(Elf *elf, const char *wanted, object_reader *o,
                         bool (*visit)(object_reader *, const Elf_Data *)) {
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(s, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (!name || strcmp(name, wanted) != 0 || header.sh_type != SHT_PROGBITS)
            continue;
        const Elf_Data *data = elf_getdata(s, NULL);
        if (!data || !visit(o, data))
            return false;
    }
    return true;
}

/* Functions name the object's files: one without is damaged. */
static bool read_function_section(object_reader *o, const Elf_Data *data) {
    return o->files.n > 0 && read_functions(o, data);
}

static bool read_object(hd_mapped *m, const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    object_reader o = {.into = m};
    elf_version(EV_CURRENT);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    bool ok = elf && each_section(elf, "__llvm_covmap", &o, read_files) &&
              each_section(elf, "__llvm_covfun", &o, read_function_section);
    if (elf)
        elf_end(elf);
    if (fd >= 0)
        close(fd);
    hd_vec_release(&o.files);
    return ok;
}

/* ---- what is counted where ---- */

static void take_counted(hd_mapped *m, uint64_t n_counters, uint64_t n_vectors, uint64_t hash,
                         const char *words) {
    uint64_t name = name_of(words, strlen(words));
    for (size_t i = 0; i < m->functions.n; i++) {
        hd_mapped_function *f = &m->functions.at[i];
        if (f->name != name || f->hash != hash)
            continue;
        free(f->words);
        f->words = hd_text_format("%s", words);
        f->first_counter = m->n_counters;
        f->first_vector = m->n_vectors;
        f->n_counters = n_counters;
        f->n_vectors = n_vectors;
    }
    m->n_counters += n_counters;
    m->n_vectors += n_vectors;
}

#define MOST_COUNTED (UINT64_C(1) << 32) /* of one function; there is no memory for more */

static bool read_counted_line(hd_mapped *m, char *line) {
    uint64_t n_counters, n_vectors, hash;
    int n = 0;
    bool ok = sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %n", &n_counters, &n_vectors, &hash,
                     &n) == 3 &&
              n > 0 && n_counters < MOST_COUNTED && n_vectors < MOST_COUNTED;
    line[strcspn(line, "\n")] = '\0';
    if (ok)
        take_counted(m, n_counters, n_vectors, hash, line + n);
    return ok;
}

static bool read_counted(hd_mapped *m, const char *directory) {
    char *path = hd_text_format("%s/counted", directory);
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    bool ok = in != NULL;
    while (ok && getline(&line, &capacity, in) >= 0)
        ok = read_counted_line(m, line);
    free(line);
    if (in)
        fclose(in);
    free(path);
    return ok;
}

static bool has_label(const hd_mapped *m, const char *label) {
    for (size_t i = 0; i < m->labels.n; i++)
        if (strcmp(m->labels.at[i], label) == 0)
            return true;
    return false;
}

static bool read_labels(hd_mapped *m, const char *directory) {
    char *path = hd_text_format("%s/labels", directory);
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    while (in && getline(&line, &capacity, in) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (!has_label(m, line))
            hd_vec_push(&m->labels, hd_text_format("%s", line));
    }
    free(line);
    free(path);
    if (in)
        fclose(in);
    return in != NULL;
}

static bool tallies_fit(const hd_mapped_function *f) {
    for (size_t i = 0; i < f->expressions.n; i++) {
        hd_tally sides[] = {f->expressions.at[i].left, f->expressions.at[i].right};
        for (int k = 0; k < 2; k++)
            if (sides[k].kind == HD_TALLY_COUNTER && sides[k].index >= f->n_counters)
                return false;
    }
    for (size_t i = 0; i < f->regions.n; i++)
        if (f->regions.at[i].executed.kind == HD_TALLY_COUNTER &&
            f->regions.at[i].executed.index >= f->n_counters)
            return false;
    for (size_t i = 0; i < f->branches.n; i++)
        for (int k = 0; k < 2; k++)
            if (f->branches.at[i].taken[k].kind == HD_TALLY_COUNTER &&
                f->branches.at[i].taken[k].index >= f->n_counters)
                return false;
    for (size_t i = 0; i < f->decisions.n; i++)
        if (f->decisions.at[i].end_vector > f->n_vectors)
            return false;
    return true;
}

#define MOST_STEPS  (1u << 24) /* that one expression takes; hd_tally_value follows all of them */
#define MOST_PASSES 64         /* clang writes what an expression needs before it, mostly */

static uint32_t steps_of(const uint32_t *steps, hd_tally t) {
    return t.kind < HD_TALLY_MINUS ? 1 : steps[t.index];
}

/* Fills in what is known; how many are not. */
static size_t count_steps(const hd_mapped_function *f, uint32_t *steps) {
    size_t n_open = 0;
    for (size_t i = 0; i < f->expressions.n; i++) {
        uint32_t left = steps_of(steps, f->expressions.at[i].left),
                 right = steps_of(steps, f->expressions.at[i].right);
        if (!steps[i] && left && right && left + right < MOST_STEPS)
            steps[i] = left + right + 1;
        n_open += !steps[i];
    }
    return n_open;
}

/* False if one needs itself, or nearly all others again and again. */
static bool expressions_end(const hd_mapped_function *f) {
    uint32_t *steps = calloc(f->expressions.n + 1, sizeof *steps);
    if (!steps)
        hd_out_of_memory();
    size_t n_open = f->expressions.n, before = n_open + 1;
    for (unsigned pass = 0; pass < MOST_PASSES && n_open && n_open < before; pass++) {
        before = n_open;
        n_open = count_steps(f, steps);
    }
    free(steps);
    return n_open == 0;
}

/* Functions in which nobody counts cannot be executed: what they have is open. */
static bool check(const hd_mapped *m) {
    for (size_t i = 0; i < m->functions.n; i++)
        if (m->functions.at[i].words &&
            !(tallies_fit(&m->functions.at[i]) && expressions_end(&m->functions.at[i])))
            return false;
    return true;
}

bool hd_mapped_parse(hd_mapped *m, const hd_mapped_bytes *bytes) {
    object_reader o = {.into = m};
    Elf_Data files = {.d_buf = (void *)bytes->files, .d_size = bytes->n_files},
             functions = {.d_buf = (void *)bytes->functions, .d_size = bytes->n_functions};
    char *save = NULL;
    *m = (hd_mapped){0};
    bool ok = read_files(&o, &files) && read_function_section(&o, &functions);
    for (char *line = strtok_r(bytes->counted, "\n", &save); ok && line;
         line = strtok_r(NULL, "\n", &save))
        ok = read_counted_line(m, line);
    ok = ok && check(m);
    hd_vec_release(&o.files);
    if (!ok)
        hd_mapped_release(m);
    return ok;
}

bool hd_mapped_read(hd_mapped *m, const char *directory, hd_err *err) {
    *m = (hd_mapped){0};
    bool ok = true;
    for (size_t n = 0; ok; n++) {
        char *path = hd_text_format("%s/mapping%zu.o", directory, n);
        if (access(path, R_OK) != 0) {
            free(path);
            break;
        }
        hd_vec_push(&m->objects, path);
        ok = read_object(m, path);
    }
    if (ok && m->objects.n && read_counted(m, directory) && read_labels(m, directory) && check(m))
        return true;
    hd_mapped_release(m);
    hd_err_set(err, "the coverage mapping of '%s' cannot be read", directory);
    return hd_err_hint(
        err, "remove the cache of compiled modules, and see that clang-19 is the one of LLVM 19");
}

void hd_mapped_release(hd_mapped *m) {
    for (size_t i = 0; i < m->files.n; i++)
        free(m->files.at[i]);
    for (size_t i = 0; i < m->functions.n; i++)
        release_function(&m->functions.at[i]);
    for (size_t i = 0; i < m->objects.n; i++)
        free(m->objects.at[i]);
    for (size_t i = 0; i < m->labels.n; i++)
        free(m->labels.at[i]);
    hd_vec_release(&m->files);
    hd_vec_release(&m->functions);
    hd_vec_release(&m->objects);
    hd_vec_release(&m->labels);
}

uint64_t hd_tally_value(const hd_mapped_function *f, hd_tally t, const uint64_t *counters) {
    HD_INVARIANT(P1, t.kind < HD_TALLY_MINUS || t.index < f->expressions.n);
    switch (t.kind) {
    case HD_TALLY_ZERO:
        return 0;
    case HD_TALLY_COUNTER:
        HD_INVARIANT(P1, t.index < f->n_counters);
        return counters[f->first_counter + t.index];
    case HD_TALLY_MINUS:
        return hd_tally_value(f, f->expressions.at[t.index].left, counters) -
               hd_tally_value(f, f->expressions.at[t.index].right, counters);
    case HD_TALLY_PLUS:
        return hd_tally_value(f, f->expressions.at[t.index].left, counters) +
               hd_tally_value(f, f->expressions.at[t.index].right, counters);
    }
    return 0;
}
