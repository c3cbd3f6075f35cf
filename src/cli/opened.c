/* An empty file for each, whose name is the hash (opened.h). */
#include "cli/opened.h"

#include "compile/module_cache.h"
#include "fleet/cluster/seal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What was opened, to what: false if there is nothing that could be opened. */
static bool add_words(hd_text *out, const hd_record *record, const hd_kept_options *kept,
                      const char *allow) {
    hd_text image = {0};
    char hash[HD_HASH_SIZE];
    char *path = hd_text_format("%s/image", hd_record_info(record)->module_directory);
    bool ok = hd_text_read_plain(&image, path);
    hd_hash_name(image.at, image.n, hash);
    hd_text_add(out, "%s\n%s\n%s", hash, kept->directory ? kept->directory : "", allow);
    hd_text_release(&image);
    free(path);
    return ok;
}

static bool add_folder(hd_text *path) {
    bool ok = hd_cache_directory(path);
    hd_text_add(path, "/opened");
    return ok;
}

/* The file that says so; the caller frees it.  NULL if there can be none. */
static char *find_file(const hd_record *record, const hd_kept_options *kept, const char *allow) {
    hd_text words = {0}, folder = {0};
    char name[HD_HASH_SIZE], *path = NULL;
    if (add_words(&words, record, kept, allow) && add_folder(&folder)) {
        hd_hash_name(words.at, words.n, name);
        path = hd_text_format("%s/%s", hd_text_string(&folder), name);
    }
    hd_text_release(&words);
    hd_text_release(&folder);
    return path;
}

void hd_opened_note(const hd_record *record, const hd_kept_options *kept, const char *allow) {
    hd_text folder = {0};
    char *path = allow && *allow ? find_file(record, kept, allow) : NULL;
    if (path && add_folder(&folder)) {
        mkdir(hd_text_string(&folder), 0700);
        int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file >= 0)
            close(file);
    }
    hd_text_release(&folder);
    free(path);
}

bool hd_opened_before(const hd_record *record, const hd_kept_options *kept, const char *allow) {
    if (!allow || !*allow)
        return true;
    char *path = find_file(record, kept, allow);
    bool is_there = path && access(path, F_OK) == 0;
    free(path);
    return is_there;
}
