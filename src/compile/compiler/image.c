/* image.c -- from the object files to the image: imports, tables, ld.
 *
 * What the objects leave undefined is only known after code generation (which may call
 * memcpy by itself), so the rest is written as assembly once they exist: one stub per
 * function, `name: jmp *slot`, the table of slots, and the image's header.  LLVM assembles it. */
#include "base/hash.h"
#include "compile/compiler/build.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <llvm-c/Linker.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef hd_vec(char *) names;

/* -- What is undefined --------------------------------------------------------------------- */

static Elf_Scn *find_symbols(Elf *elf, GElf_Shdr *header) {
    for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s))
        if (gelf_getshdr(s, header) && header->sh_type == SHT_SYMTAB)
            return s;
    return NULL;
}

/* ld defines these itself, and weak ones may stay undefined: they are null.  (pthread.h declares
 * one as weak that its macros call all the same.) */
static bool is_import(const GElf_Sym *symbol, const char *name) {
    bool is_needed =
        GELF_ST_BIND(symbol->st_info) == STB_GLOBAL || strcmp(name, "__pthread_unwind_next") == 0;
    return symbol->st_shndx == SHN_UNDEF && *name && is_needed &&
           strcmp(name, "_GLOBAL_OFFSET_TABLE_") != 0 && strncmp(name, "__start_", 8) != 0 &&
           strncmp(name, "__stop_", 7) != 0;
}

/* What an object defines for others, and what it needs of them, each once. */
static void note_symbol(const GElf_Sym *symbol, const char *name, hd_map *defined, hd_map *seen,
                        names *needed) {
    uint64_t key = hd_hash_bytes(1, name, strlen(name)) >> 1;
    if (symbol->st_shndx != SHN_UNDEF && GELF_ST_BIND(symbol->st_info) != STB_LOCAL)
        hd_map_put(defined, key, 1);
    if (!is_import(symbol, name) || hd_map_find(seen, key))
        return;
    hd_map_put(seen, key, 1);
    hd_vec_push(needed, strdup(name));
}

static void look_into(const char *object, hd_map *defined, hd_map *seen, names *needed) {
    int file = open(object, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
    GElf_Shdr header;
    Elf_Scn *section = elf ? find_symbols(elf, &header) : NULL;
    if (!section)
        hd_fail("this is a bug of Heddle", "cannot read the object file '%s'", object);
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t n = 0; n < header.sh_size / header.sh_entsize; n++) {
        GElf_Sym symbol;
        gelf_getsym(data, (int)n, &symbol);
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        note_symbol(&symbol, name, defined, seen, needed);
    }
    elf_end(elf);
    close(file);
}

/* Objects are in the order of parts, and parts in that of functions: so are the imports. */
static void list_undefined(const hd_strings *objects, names *found) {
    hd_map defined = {0}, seen = {0};
    names needed = {0};
    for (size_t n = 0; n < objects->n; n++)
        look_into(objects->at[n], &defined, &seen, &needed);
    for (size_t n = 0; n < needed.n; n++)
        if (hd_map_find(&defined, hd_hash_bytes(1, needed.at[n], strlen(needed.at[n])) >> 1))
            free(needed.at[n]);
        else
            hd_vec_push(found, needed.at[n]);
    hd_vec_release(&needed);
    hd_map_release(&defined);
    hd_map_release(&seen);
}

/* -- The assembly -------------------------------------------------------------------------- */

#define UNPACK_STORE                                                                               \
    " mov %rcx,%r10\n shr $32,%r10\n push %r10\n push %r10\n movzbl %cl,%r8d\n"                    \
    " mov %ecx,%r9d\n shr $8,%r9d\n movzbl %r9b,%r9d\n" /* no %ch beside a REX prefix */           \
    " mov %rdx,%rcx\n mov %rsi,%rdx\n shr $32,%rdx\n mov %esi,%esi\n"

/* Stubs that the fast paths call with packed arguments (machine/values/inline.c), the slow path
 * that they stand for, and what to do with the arguments. */
static const struct {
    const char *stub, *slow, *unpack;
} packed[] = {
    /* (x, y, shadows, width << 8 | op) -> (op, width, a, b, x, y) */
    {
        "__hd_packed_binary",
        "__hd_slow_binary",
        " mov %rdi,%r8\n mov %rsi,%r9\n movzbl %cl,%edi\n movzbl %ch,%esi\n"
        " mov %rdx,%rcx\n shr $32,%rcx\n mov %edx,%edx\n",
    },
    /* (p, address, site:width:size) -> (p, address, size, width, site) */
    {"__hd_packed_load", "__hd_slow_load",
     " mov %rdx,%r8\n shr $32,%r8\n movzbl %dh,%ecx\n movzbl %dl,%edx\n"},
    /* (p, shadows, concrete, site:width:size) -> (p, address, value, concrete, size, width, site)
     */
    {"__hd_packed_store", "__hd_slow_store", UNPACK_STORE},
    {"__hd_aside_store", "__hd_slow_store", UNPACK_STORE},
#define X(name, stub, slow, shadows, question) {stub, slow, ""},
    HD_ASIDES(X)
#undef X
};

/* The question of a stub that asks before it calls the machine; "" of others. */
static const char *question_of(const char *name) {
#define X(hook, stub, slow, shadows, question)                                                     \
    if (strcmp(name, stub) == 0)                                                                   \
        return question;
    HD_ASIDES(X)
#undef X
    return "";
}

/* Row of a packed stub, or -1. */
static int find_packed(const char *stub) {
    for (int n = 0; n < (int)(sizeof packed / sizeof *packed); n++)
        if (strcmp(packed[n].stub, stub) == 0)
            return n;
    return -1;
}

/* Arguments that a function of the machine takes on the stack, beyond the six in registers. */
static unsigned n_stack_arguments(const hd_build *b, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    unsigned n = f ? LLVMCountParams(f) : 0;
    return n > 6 ? n - 6 : 0;
}

#define N_KEPT 7 /* and rax, if there is no result */

/* What was kept is not left behind on the stack: machine/tasks/leaks.c takes what is there, below
 * the frames of a thread that waits, for registers that the thread keeps.  No caller keeps anything
 * in vector registers across the call. */
static void add_taking_back(hd_text *t, const char *const *kept, bool has_result) {
    if (!has_result)
        hd_text_add(t, " mov -8(%%rbp),%%rax\n");
    for (int n = 0; n < N_KEPT; n++)
        hd_text_add(t, " mov %d(%%rbp),%%%s\n", -8 * (n + 2), kept[n]);
    hd_text_add(t, " xorps %%xmm0,%%xmm0\n");
    for (int n = 0; n < (N_KEPT + 1) / 2; n++)
        hd_text_add(t, " movups %%xmm0,%d(%%rbp)\n", -16 * (n + 1));
}

/* A call of the machine from the fast paths: keeps every register but the result and r11
 * (LLVM's preserve_most).  The frame pointer makes it an ordinary frame for backtraces. */
static void add_keeping_call(const hd_build *b, hd_text *t, const char *name, size_t slot) {
    static const char *const kept[N_KEPT] = {"rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10"};
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    bool has_result = f && LLVMGetReturnType(LLVMGlobalGetValueType(f)) != b->void_type;
    int row = find_packed(name);
    unsigned extra = row < 0 ? n_stack_arguments(b, name) : 0;
    hd_text_add(t, "%s push %%rbp\n mov %%rsp,%%rbp\n push %%rax\n", question_of(name));
    for (size_t n = 0; n < N_KEPT; n++)
        hd_text_add(t, " push %%%s\n", kept[n]);
    if (extra % 2)
        hd_text_add(t, " push %%rax\n");
    for (unsigned n = extra; n > 0; n--)
        hd_text_add(t, " push %u(%%rbp)\n", 8 + 8 * n);
    if (row >= 0)
        hd_text_add(t, "%s", packed[row].unpack);
    hd_text_add(t, " call *__hd_imports+%zu(%%rip)\n", slot);
    add_taking_back(t, kept, has_result);
    hd_text_add(t, " leave\n ret\n");
}

static void add_stub(const hd_build *b, hd_text *t, const char *name, size_t n) {
    size_t slot = n * sizeof(hd_import) + offsetof(hd_import, address);
    hd_text_add(t, ".globl \"%s\"\n.hidden \"%s\"\n.type \"%s\",@function\n.p2align 4\n\"%s\":\n",
                name, name, name, name);
    if (hd_call_keeps_registers(name))
        add_keeping_call(b, t, name, slot);
    else
        hd_text_add(t, " incq __hd_registers+%zu(%%rip)\n jmp *__hd_imports+%zu(%%rip)\n",
                    offsetof(hd_registers, n_outside), slot);
}

static void add_import(hd_text *t, const char *name, size_t n, const char *at, uint64_t size) {
    hd_text_add(t, ".quad .Lname%zu\n.quad \"%s\"\n.long %d,%u\n", n, at, size > 0, (unsigned)size);
    hd_text_add(t, ".pushsection .rodata\n.Lname%zu: .asciz \"%s\"\n.popsection\n", n, name);
}

static void add_function_import(hd_text *t, const char *name, size_t n) {
    hd_text_add(t, ".quad .Lname%zu\n.quad 0\n.long 0,0\n", n);
    hd_text_add(t, ".pushsection .rodata\n.Lname%zu: .asciz \"%s\"\n.popsection\n", n, name);
}

static const char *imported_name(const char *symbol) {
    int row = find_packed(symbol);
    return row < 0 ? symbol : packed[row].slow;
}

/* Names come from file names: what an assembler's string cannot hold is written as a number. */
static void add_name(hd_text *t, const char *name) {
    hd_text_add(t, ".asciz \"");
    for (; *name; name++)
        if (*name == '"' || *name == '\\' || *name < ' ' || *name > '~')
            hd_text_add(t, "\\%03o", (unsigned char)*name);
        else
            hd_text_add(t, "%c", *name);
    hd_text_add(t, "\"\n");
}

static void add_entry_points(const hd_build *b, hd_text *t, size_t n) {
    char *main = hd_program_main(b, n);
    hd_text_add(t, ".quad \"%s\",__hd_constructors%zu,__hd_destructors%zu\n", main, n, n);
    free(main);
}

static void add_programs(const hd_build *b, hd_text *t) {
    hd_text_add(t, ".Lprograms:\n");
    for (size_t n = 0; n < b->programs.n; n++) {
        hd_text_add(t, ".quad .Lprogram%zu\n", n);
        add_entry_points(b, t, n);
    }
    hd_text_add(t, ".section .rodata\n");
    for (size_t n = 0; n < b->programs.n; n++) {
        hd_text_add(t, ".Lprogram%zu: ", n);
        add_name(t, b->programs.at[n].name);
    }
}

static void add_header(const hd_build *b, hd_text *t, size_t n_imports) {
    hd_text_add(t, ".section .data.rel.ro,\"aw\"\n.p2align 4\n.globl __hd_image\n__hd_image:\n");
    hd_text_add(t, ".quad 0x%llx\n.long %d,%d\n", (unsigned long long)HD_IMAGE_MAGIC,
                HD_ABI_VERSION, b->is_threaded | (b->uses_messages ? HD_IMAGE_USES_MESSAGES : 0));
    hd_text_add(t, ".long %d,%d\n", b->sees_undefined + b->has_undefined, b->reads_flags);
    hd_text_add(t, ".quad %zu,%zu,%zu,%llu\n", n_imports, b->objects.n, b->sites.n,
                (unsigned long long)hd_coverage_ways(b) / 2);
    hd_text_add(t, ".quad __hd_imports,__hd_globals,__hd_sites,__hd_coverage,__hd_registers\n");
    add_entry_points(b, t, 0);
    hd_text_add(t, ".quad %zu,.Lprograms\n", b->programs.n);
    hd_text_add(t, ".quad %llu,%llu,__hd_coverage+%llu\n", (unsigned long long)b->n_vectors,
                (unsigned long long)b->n_counters, (unsigned long long)hd_counts_offset(b));
    hd_text_add(t, ".quad __hd_coverage+%llu\n", (unsigned long long)hd_unclean_offset(b));
    add_programs(b, t);
}

/* The region is so many units of 2^REGION_UNIT bytes. */
#define REGION_UNIT 37
_Static_assert((HD_REGION_SIZE >> REGION_UNIT) << REGION_UNIT == HD_REGION_SIZE,
               "stubs count in units");

/* For the questions of stubs (HD_ASIDES). */
static void name_registers(hd_text *t) {
    hd_text_add(t, ".set .Lpassed,__hd_registers+%zu\n", offsetof(hd_registers, passed));
    hd_text_add(t, ".set .Lreturned,__hd_registers+%zu\n", offsetof(hd_registers, returned));
    hd_text_add(t, ".set .Lregion_bits,%d\n.set .Lregion,%d\n", HD_REGION_BITS,
                (int)(HD_REGION >> HD_REGION_BITS));
    hd_text_add(t, ".set .Lnot_region,-0x%llx\n.set .Lunit,%d\n.set .Lunits,%llu\n",
                (unsigned long long)HD_REGION, REGION_UNIT,
                (unsigned long long)(HD_REGION_SIZE >> REGION_UNIT));
    hd_text_add(t, ".set .Lstep_any,%d\n", HD_STEP_ANY);
    hd_text_add(t, ".set .Lis_threaded,__hd_registers+%zu\n", offsetof(hd_registers, is_threaded));
}

static void write_assembly(const hd_build *b, hd_text *t, const names *functions) {
    name_registers(t);
    hd_text_add(t, ".text\n");
    for (size_t n = 0; n < functions->n; n++)
        add_stub(b, t, functions->at[n], n);
    hd_text_add(t, ".data\n.p2align 4\n.globl __hd_imports\n.hidden __hd_imports\n__hd_imports:\n");
    for (size_t n = 0; n < functions->n; n++)
        add_function_import(t, imported_name(functions->at[n]), n);
    for (size_t n = 0; n < b->data_imports.n; n++)
        add_import(t, b->data_imports.at[n].name, functions->n + n,
                   hd_value_name(b->data_imports.at[n].copy), b->data_imports.at[n].size);
    add_header(b, t, functions->n + b->data_imports.n);
    hd_text_add(t, ".section .note.GNU-stack,\"\",@progbits\n");
}

static void assemble(hd_build *b, const hd_text *assembly, const char *object) {
    char *message = NULL;
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("tables", b->context);
    LLVMSetTarget(module, LLVMGetTarget(b->module));
    LLVMSetModuleInlineAsm2(module, hd_text_string(assembly), assembly->n);
    if (LLVMTargetMachineEmitToFile(b->target, module, object, LLVMObjectFile, &message))
        hd_fail(NULL, "cannot write '%s': %s", object, message);
    LLVMDisposeModule(module);
}

/* -- ld ------------------------------------------------------------------------------------ */

/* With "relro" constants that hold addresses, the tables among them, come first and end with a
 * page: machine/run/module.c makes them constant, and nobody has to bring them back. */
static void link_objects(hd_build *b, const hd_strings *objects, const char *tables) {
    char base[64], image[4096], bits[80];
    snprintf(bits, sizeof bits, "--defsym=" HD_UNCLEAN "=__hd_coverage+%llu",
             (unsigned long long)hd_unclean_offset(b));
    snprintf(base, sizeof base, "-Ttext-segment=0x%llx", (unsigned long long)HD_IMAGE_BASE);
    snprintf(image, sizeof image, "%s/image", b->output);
    const char *const fixed[] = {
        "ld",    "--no-relax", "-static", "-nostdlib",  "-z", "noexecstack",        "-z",
        "relro", base,         "-e",      "__hd_image", "-z", "max-page-size=4096", "-o",
        image,   bits};
    hd_strings arguments = {0};
    for (size_t n = 0; n < sizeof fixed / sizeof *fixed; n++)
        hd_vec_push(&arguments, fixed[n]);
    for (size_t n = 0; n < objects->n; n++)
        hd_vec_push(&arguments, objects->at[n]);
    hd_vec_push(&arguments, tables);
    hd_vec_push(&arguments, NULL);
    if (!hd_process_wait(hd_process_start(arguments.at, "binutils", -1)))
        hd_fail("the messages above are from ld", "cannot link the program");
    hd_vec_release(&arguments);
}

/* For those who want to know which functions there are without loading the image. */
static void write_imports(const hd_build *b, const names *undefined) {
    char path[4096];
    snprintf(path, sizeof path, "%s/imports", b->output);
    FILE *out = fopen(path, "w");
    if (!out)
        hd_fail(NULL, "cannot write '%s'", path);
    for (size_t n = 0; n < undefined->n; n++)
        if (!LLVMGetNamedGlobal(b->module, undefined->at[n]))
            fprintf(out, "%s\n", undefined->at[n]);
    fclose(out);
}

void hd_image_link(hd_build *b, const hd_strings *objects) {
    names functions = {0};
    hd_text assembly = {0};
    char tables[4096];
    snprintf(tables, sizeof tables, "%s/tables.o", b->output);
    list_undefined(objects, &functions);
    write_imports(b, &functions);
    write_assembly(b, &assembly, &functions);
    assemble(b, &assembly, tables);
    link_objects(b, objects, tables);
    unlink(tables);
    for (size_t n = 0; n < functions.n; n++)
        free(functions.at[n]);
    hd_vec_release(&functions);
    hd_text_release(&assembly);
}
