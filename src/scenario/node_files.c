/* Files of a node: whose they are, and the folder that it sees before those of the machine. */
#include "scenario/scenario_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const words[] = {
#define X(name, word, words) word,
    HD_NODE_FILES(X)
#undef X
};
#define N_WORDS (sizeof words / sizeof *words)

static bool set_files(hd_reader *r, const hd_piece *word, hd_node_files *out) {
    for (size_t i = 0; i < N_WORDS; i++)
        if (strcmp(word->text, words[i]) == 0) {
            *out = (hd_node_files)i;
            return true;
        }
    hd_reader_fail(r, word->at, "expected 'shared', 'own' or 'lost', found '%.60s'", word->text);
    return hd_err_hint(
        r->err, "shared: what other nodes write is seen; own: it is not, and files stay when "
                "the node reboots; lost: and they do not");
}

/* Where executions find it, wherever they run. */
static bool set_root(hd_reader *r, const hd_node_entry *e, uint64_t index, char **out) {
    struct stat status;
    char *name = hd_expand(e, index, e->root.text), *path = hd_scenario_locate(r, name);
    char *real = realpath(path, NULL);
    bool is_folder = real && stat(real, &status) == 0 && S_ISDIR(status.st_mode);
    *out = real;
    if (!is_folder) {
        hd_reader_fail(r, e->root.at, "cannot read the folder '%.200s': %s", path,
                       real ? "it is none" : strerror(errno));
        hd_err_hint(r->err, "etc/name in it is what the node sees as /etc/name; it starts in the "
                            "folder of the scenario");
    }
    free(name);
    free(path);
    return is_folder;
}

bool hd_node_files_expand(hd_reader *r, const hd_node_entry *e, uint64_t index,
                          hd_scenario_node *node) {
    if (e->root.text)
        node->files = HD_FILES_OWN;
    if (e->files.text && !set_files(r, &e->files, &node->files))
        return false;
    if (e->root.text && node->files == HD_FILES_SHARED) {
        hd_reader_fail(r, e->root.at, "a node with 'root' shares no files");
        return hd_err_hint(r->err, "leave 'files: shared' out");
    }
    return !e->root.text || set_root(r, e, index, &node->root);
}
