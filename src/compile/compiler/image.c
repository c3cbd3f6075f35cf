/* image.c -- from the object file to the image: imports, tables, ld.
 *
 * What the object leaves undefined is only known after code generation (which may call
 * memcpy by itself), so the rest is written as assembly once the object exists: one stub per
 * function, `name: jmp *slot`, the table of slots, and the image's header.  LLVM assembles it. */
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

/* ld defines these itself, and weak ones may stay undefined: they are null. */
static bool is_import(const GElf_Sym *symbol, const char *name) {
    return symbol->st_shndx == SHN_UNDEF && *name && GELF_ST_BIND(symbol->st_info) == STB_GLOBAL &&
           strcmp(name, "_GLOBAL_OFFSET_TABLE_") != 0 && strncmp(name, "__start_", 8) != 0 &&
           strncmp(name, "__stop_", 7) != 0;
}

static void list_undefined(const char *object, names *found) {
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
        if (is_import(&symbol, name))
            hd_vec_push(found, strdup(name));
    }
    elf_end(elf);
    close(file);
}

/* -- The assembly -------------------------------------------------------------------------- */

static void add_stub(hd_text *t, const char *name, size_t n) {
    hd_text_add(t,
                ".globl \"%s\"\n.hidden \"%s\"\n.type \"%s\",@function\n.p2align 4\n"
                "\"%s\": jmp *__hd_imports+%zu(%%rip)\n",
                name, name, name, name, n * sizeof(hd_import) + offsetof(hd_import, address));
}

static void add_import(hd_text *t, const char *name, size_t n, const char *at, uint64_t size) {
    hd_text_add(t, ".quad .Lname%zu\n.quad \"%s\"\n.long %d,%u\n", n, at, size > 0, (unsigned)size);
    hd_text_add(t, ".pushsection .rodata\n.Lname%zu: .asciz \"%s\"\n.popsection\n", n, name);
}

static void add_function_import(hd_text *t, const char *name, size_t n) {
    hd_text_add(t, ".quad .Lname%zu\n.quad 0\n.long 0,0\n", n);
    hd_text_add(t, ".pushsection .rodata\n.Lname%zu: .asciz \"%s\"\n.popsection\n", n, name);
}

static void add_header(const hd_build *b, hd_text *t, size_t n_imports) {
    hd_text_add(t, ".section .data.rel.ro,\"aw\"\n.p2align 4\n.globl __hd_image\n__hd_image:\n");
    hd_text_add(t, ".quad 0x%llx\n.long %d,0\n", (unsigned long long)HD_IMAGE_MAGIC,
                HD_ABI_VERSION);
    hd_text_add(t, ".quad %zu,%zu,%zu,%u\n", n_imports, b->objects.n, b->sites.n, b->n_branches);
    hd_text_add(t, ".quad __hd_imports,__hd_globals,__hd_sites,__hd_coverage,__hd_registers\n");
    hd_text_add(t, ".quad main,__hd_constructors,__hd_destructors\n");
}

static void write_assembly(const hd_build *b, hd_text *t, const names *functions) {
    hd_text_add(t, ".text\n");
    for (size_t n = 0; n < functions->n; n++)
        add_stub(t, functions->at[n], n);
    hd_text_add(t, ".data\n.p2align 4\n.globl __hd_imports\n.hidden __hd_imports\n__hd_imports:\n");
    for (size_t n = 0; n < functions->n; n++)
        add_function_import(t, functions->at[n], n);
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

static void link_objects(hd_build *b, const char *object, const char *tables) {
    char base[64], image[4096];
    snprintf(base, sizeof base, "-Ttext-segment=0x%llx", (unsigned long long)HD_IMAGE_BASE);
    snprintf(image, sizeof image, "%s/image", b->output);
    const char *argv[] = {
        "ld",      "-static", "-nostdlib", "-z",         "noexecstack", "-z",
        "norelro", base,      "-e",        "__hd_image", "-z",          "max-page-size=4096",
        "-o",      image,     object,      tables,       NULL};
    if (!hd_process_wait(hd_process_start(argv, "binutils", -1)))
        hd_fail("the messages above are from ld", "cannot link the program");
}

void hd_image_link(hd_build *b, const char *object) {
    names functions = {0};
    hd_text assembly = {0};
    char tables[4096];
    snprintf(tables, sizeof tables, "%s/tables.o", b->output);
    list_undefined(object, &functions);
    write_assembly(b, &assembly, &functions);
    assemble(b, &assembly, tables);
    link_objects(b, object, tables);
    unlink(tables);
    for (size_t n = 0; n < functions.n; n++)
        free(functions.at[n]);
    hd_vec_release(&functions);
    hd_text_release(&assembly);
}
