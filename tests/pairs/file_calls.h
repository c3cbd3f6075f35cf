/* file_calls.h -- calls on files, their names, streams, locks, and memory with names. */
#ifndef HD_TESTS_PAIRS_FILE_CALLS_H
#define HD_TESTS_PAIRS_FILE_CALLS_H
#include "worked_on.h"

/* ---- files ---- */

static void begin_file(void) {
    d[0] = open("pairs.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    write(d[0], "abcd", 4);
    lseek(d[0], 1, SEEK_SET);
}
static int file_read(void) {
    return get(d[0]);
}
static int file_write(void) {
    return (int)write(d[0], "XY", 2);
}
static int file_read_at(void) {
    char c = 0;
    return pread(d[0], &c, 1, 1) < 1 ? -1 : c;
}
static int file_write_at(void) {
    return (int)pwrite(d[0], "Z", 1, 1);
}
static int file_seek(void) {
    return (int)lseek(d[0], 1, SEEK_CUR);
}
static int file_cut(void) {
    return ftruncate(d[0], 1);
}
static int file_size(void) {
    return size_of(d[0]);
}
static int file_map(void) {
    const char *p = mmap(NULL, 4, PROT_READ, MAP_PRIVATE, d[0], 0);
    return p == MAP_FAILED ? -1 : p[1];
}

/* ---- names of files ---- */

static void begin_path(void) {
    mkdir("dir", 0700);
    close(open("dir/a", O_RDWR | O_CREAT, 0600));
}
static int path_create(void) {
    int f = open("dir/b", O_RDWR | O_CREAT | O_EXCL, 0600);
    return f < 0 ? -1 : close(f);
}
static int path_remove(void) {
    return unlink("dir/a");
}
static int path_rename(void) {
    return rename("dir/a", "dir/b");
}
static int path_look(void) {
    struct stat s;
    return stat("dir/b", &s) < 0 ? -1 : 1;
}
static int path_ask(void) {
    return access("dir/a", F_OK);
}
static int path_list(void) {
    DIR *all = opendir("dir");
    int n = 0;
    while (all && readdir(all))
        n++;
    return all ? closedir(all), n : -1;
}
static int path_mode(void) {
    return chmod("dir/a", 0400);
}
static int path_cut(void) {
    return truncate("dir/a", 5);
}
static int path_link(void) {
    return link("dir/a", "dir/b");
}
static int path_rmdir(void) {
    return rmdir("dir");
}

/* ---- lists of names, of one process ---- */

static DIR *names;
static void begin_names(void) {
    mkdir("names", 0700);
    close(open("names/a", O_RDWR | O_CREAT, 0600));
    names = opendir("names");
    readdir(names);
}
static int names_next(void) {
    const struct dirent *e = readdir(names);
    return e ? e->d_name[0] : -1;
}
static int names_again(void) {
    rewinddir(names);
    return 0;
}
static int names_where(void) {
    return (int)telldir(names);
}

/* ---- streams ---- */

static void begin_stream(void) {
    stream = fopen("stream.txt", "w+");
    fputs("abc", stream);
    rewind(stream);
}
static int stream_get(void) {
    return fgetc(stream);
}
static int stream_push(void) {
    return ungetc('z', stream);
}
static int stream_tell(void) {
    return (int)ftell(stream);
}
static int stream_seek(void) {
    return fseek(stream, -1, SEEK_END);
}
static int stream_end(void) {
    return feof(stream);
}
static int stream_clear(void) {
    clearerr(stream);
    return ferror(stream);
}
static int stream_again(void) {
    return freopen("stream.txt", "r", stream) ? 0 : -1;
}
static int stream_buffer(void) {
    return setvbuf(stream, NULL, _IONBF, 0);
}
static int stream_wide(void) {
    return fwide(stream, 0);
}
static int stream_try(void) {
    if (ftrylockfile(stream))
        return 9;
    funlockfile(stream);
    return 1;
}
static int stream_flush(void) {
    return fflush(NULL);
}
static int stream_read(void) {
    char b[4] = "";
    return (int)fread(b, 1, 2, stream);
}
static int stream_put(void) {
    return fseek(stream, 0, SEEK_CUR) < 0 ? -1 : fputs("XY", stream) < 0 ? -1 : fflush(stream);
}

/* ---- memory with names ---- */

static void begin_shared(void) {
    d[0] = shm_open("/pairs", O_RDWR | O_CREAT, 0600);
    ftruncate(d[0], 8);
}
static int shared_create(void) {
    return shm_open("/pairs", O_RDWR | O_CREAT | O_EXCL, 0600) < 0 ? -1 : 1;
}
static int shared_unlink(void) {
    return shm_unlink("/pairs");
}
static int shared_cut(void) {
    return ftruncate(d[0], 4);
}
static int shared_open(void) {
    return shm_open("/pairs", O_RDWR, 0600) < 0 ? -1 : 1;
}

/* ---- what files are like, and where the process is ---- */

static void begin_like(void) {
    mkdir("like", 0700);
    d[0] = open("like/a", O_RDWR | O_CREAT, 0600);
    d[1] = open("like", O_RDONLY | O_DIRECTORY);
}
static int like_mode(void) {
    return fchmod(d[0], 0640);
}
static int like_time(void) {
    struct timespec t[2] = {{5, 0}, {6, 0}};
    return futimens(d[0], t);
}
static int like_owner(void) {
    return fchown(d[0], getuid(), getgid());
}
static int like_ask(void) {
    struct stat s;
    return fstat(d[0], &s) < 0 ? -1 : (int)(s.st_mode & 0777) + (s.st_mtim.tv_sec == 6);
}
static int like_look(void) {
    struct stat s;
    return stat("like/a", &s) < 0 ? -1 : (int)(s.st_mode & 0777) + (s.st_mtim.tv_sec == 6);
}
static int like_enter(void) {
    return chdir("like");
}
static int like_find(void) {
    return access("a", F_OK);
}
static int like_mask(void) {
    return (int)umask(077);
}
static int like_make(void) {
    struct stat s;
    int f = open("b", O_RDWR | O_CREAT, 0666);
    return fstat(f, &s) < 0 ? -1 : (int)s.st_mode & 0777;
}

static int like_where(void) {
    char at[512];
    return getcwd(at, sizeof at) ? strcmp(strrchr(at, '/'), "/like") == 0 : -1;
}
static int like_go(void) {
    return fchdir(d[1]);
}

/* ---- locks of files ---- */

static struct flock lock_all(int type) {
    return (struct flock){.l_type = (short)type, .l_whence = SEEK_SET};
}
static void begin_lock(void) {
    d[0] = open("lock", O_RDWR | O_CREAT, 0600);
    d[1] = open("lock", O_RDWR);
    write(d[0], "abcd", 4);
}
static int lock_take(void) {
    return flock(d[0], LOCK_EX | LOCK_NB);
}
static int lock_share(void) {
    return flock(d[1], LOCK_SH | LOCK_NB);
}
static int lock_free(void) {
    return flock(d[0], LOCK_UN);
}
static int lock_shut(void) {
    return close(d[0]);
}
static int lock_record(void) {
    struct flock l = lock_all(F_WRLCK);
    return fcntl(d[0], F_SETLK, &l);
}
static int lock_open(void) {
    struct flock l = lock_all(F_RDLCK);
    return fcntl(d[1], F_OFD_SETLK, &l);
}
static int lock_end(void) {
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_END, .l_start = -1, .l_len = 1};
    return fcntl(d[0], F_OFD_SETLK, &l);
}
static int lock_cut(void) {
    return ftruncate(d[1], 1);
}
static int lock_ask(void) {
    struct flock l = lock_all(F_WRLCK);
    return fcntl(d[1], F_OFD_GETLK, &l) < 0 ? -1 : l.l_type + 8 * (int)l.l_start;
}
#endif
