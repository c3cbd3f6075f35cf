/* libc_ipc.h -- the functions of the C library around descriptors, sockets and message queues, as
 * the tested program calls them.  Those that the library declares with "..." have here the
 * arguments that can come.
 *
 * Each enters (hd_ipc_enter), says what it is about to do, and answers as Linux does: a result, or
 * hd_ipc_fail.  Names that begin with hd_ but not with hd_libc_ are for other files of libc/.
 * Not here: waiting and events (channels/ipc.h), what files and sockets are (world/). */
#ifndef HD_MACHINE_LIBC_LIBC_IPC_H
#define HD_MACHINE_LIBC_LIBC_IPC_H
#include "machine/channels/ipc.h"
#include "machine/libc/libc.h"

#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/utsname.h>

/* libc/entropy.c */
uint8_t hd_random_byte(hd_machine *m);

/* libc/descriptor.c */
int64_t hd_libc_read(int descriptor, void *out, size_t n);
int64_t hd_libc_write(int descriptor, const void *bytes, size_t n);
int64_t hd_libc_readv(int descriptor, const struct iovec *pieces, int n);
int64_t hd_libc_writev(int descriptor, const struct iovec *pieces, int n);
int hd_libc_close(int descriptor);
int hd_libc_dup(int descriptor);
int hd_libc_dup2(int from, int to);
int hd_libc_dup3(int from, int to, int flags);
int hd_libc_fcntl(int descriptor, int command, uint64_t argument);
int hd_libc_ioctl(int descriptor, unsigned long request, uint64_t argument);
int hd_libc_pipe(int *out);
int hd_libc_pipe2(int *out, int flags);

/* libc/file.c */
int64_t hd_libc_lseek(int descriptor, int64_t offset, int whence);
int64_t hd_libc_pread(int descriptor, void *out, size_t n, int64_t offset);
int64_t hd_libc_pwrite(int descriptor, const void *bytes, size_t n, int64_t offset);
int hd_libc_isatty(int descriptor);
int hd_libc_fsync(int descriptor);
int hd_libc_ftruncate(int descriptor, int64_t size);
int hd_libc_fstat(int descriptor, void *out);
int64_t hd_libc_preadv(int descriptor, const struct iovec *pieces, int n, int64_t offset);
int64_t hd_libc_pwritev(int descriptor, const struct iovec *pieces, int n, int64_t offset);
int hd_libc_posix_fallocate(int descriptor, int64_t offset, int64_t n);
/* read and write of a file. */
/* hd_inode_load and hd_directory_list; what was not given to be read is a finding. */
/* The files of the process that runs: those of all, or of its node alone. */
hd_disk *hd_files_of(hd_machine *m);
bool hd_files_are_own(const hd_machine *m);
/* Something of them changes: node states of others do not see it. */
void hd_files_change(hd_machine *m, const char *what);
int hd_disk_file_load(hd_machine *m, hd_inode *i);
uint32_t hd_disk_file_list(hd_machine *m, hd_inode *directory, const char ***names);
int64_t hd_disk_file_read(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n);
int64_t hd_disk_file_write(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n);
int hd_file_truncate(hd_machine *m, hd_inode *i, int64_t size);
/* What a path leads to is looked at, or changed; what a file holds.  Others may do so too. */
void hd_paths_event(hd_machine *m, bool is_store);
void hd_content_event(hd_machine *m, const hd_inode *i, bool is_store);
/* What a file holds was changed, now: its times say so. */
void hd_content_changed(hd_machine *m, hd_inode *i);

/* libc/file_path.c */
int hd_libc_open(const char *path, int flags, unsigned mode);
int hd_libc_openat(int directory, const char *path, int flags, unsigned mode);
int hd_libc_creat(const char *path, unsigned mode);
int hd_file_open_unnamed(hd_machine *m);
/* What read, write and open do, by other functions of the library, which are no cancellation
 * points: that is said where it matters. */
void hd_file_note_no_point(hd_machine *m);
int64_t hd_file_get(int descriptor, void *out, size_t n);
int64_t hd_file_put(int descriptor, const void *bytes, size_t n);
int hd_file_open(const char *path, int flags, unsigned mode);
hd_inode *hd_working_directory(hd_machine *m);
int hd_libc_fstatat(int directory, const char *path, void *out, int flags);
int hd_libc_stat(const char *path, void *out);
int hd_libc_lstat(const char *path, void *out);
int hd_libc_faccessat(int directory, const char *path, int what, int flags);
int hd_libc_access(const char *path, int what);
int64_t hd_libc_readlinkat(int directory, const char *path, char *out, size_t n);
int64_t hd_libc_readlink(const char *path, char *out, size_t n);
int hd_libc_mkdirat(int directory, const char *path, unsigned mode);
int hd_libc_mkdir(const char *path, unsigned mode);
int hd_libc_unlinkat(int directory, const char *path, int flags);
int hd_libc_unlink(const char *path);
int hd_libc_rmdir(const char *path);
int hd_libc_remove(const char *path);
int hd_libc_renameat(int from_directory, const char *from, int to_directory, const char *to);
int hd_libc_rename(const char *from, const char *to);
int hd_libc_linkat(int from_directory, const char *from, int to_directory, const char *to,
                   int flags);
int hd_libc_link(const char *from, const char *to);
int hd_libc_symlinkat(const char *target, int directory, const char *path);
int hd_libc_symlink(const char *target, const char *path);
int hd_libc_truncate(const char *path, int64_t size);
int hd_libc_chmod(const char *path, unsigned mode);
int hd_libc_fchmod(int descriptor, unsigned mode);
int hd_libc_chown(const char *path, unsigned user, unsigned group);
int hd_libc_lchown(const char *path, unsigned user, unsigned group);
int hd_libc_fchown(int descriptor, unsigned user, unsigned group);
unsigned hd_libc_umask(unsigned mask);
int hd_libc_chdir(const char *path);
int hd_libc_change_root(const char *path, int may);
int hd_libc_fchdir(int descriptor);
char *hd_libc_getcwd(char *out, size_t n);
char *hd_libc_realpath(const char *path, char *out);
int hd_libc_mkostemps(char *template, int suffix, int flags);
int hd_libc_mkstemp(char *template);
int hd_libc_mkostemp(char *template, int flags);
int hd_libc_mkstemps(char *template, int suffix);
char *hd_libc_mkdtemp(char *template);
int hd_libc_utimensat(int directory, const char *path, const struct timespec *times, int flags);
struct utimbuf;
int hd_libc_utime(const char *path, const struct utimbuf *times);
int hd_libc_utimes(const char *path, const struct timeval *times);
int hd_libc_futimens(int descriptor, const struct timespec *times);

/* libc/directory.c */
void *hd_libc_opendir(const char *path);
void *hd_libc_fdopendir(int descriptor);
void *hd_libc_readdir(void *p);
int hd_libc_closedir(void *p);
void hd_libc_rewinddir(void *p);
long hd_libc_telldir(void *p);
void hd_libc_seekdir(void *p, long place);
int hd_libc_dirfd(void *p);

/* libc/stream.c */
FILE *hd_libc_fdopen(int descriptor, const char *mode);
FILE *hd_libc_fopen(const char *path, const char *mode);
FILE *hd_libc_freopen(const char *path, const char *mode, FILE *file);
FILE *hd_libc_tmpfile(void);
FILE *hd_libc_open_memstream(char **at, size_t *size);
FILE *hd_libc_fmemopen(void *buffer, size_t size, const char *mode);
FILE *hd_libc_popen(const char *command, const char *mode);
int hd_libc_fclose(FILE *file);
int hd_libc_fileno(FILE *file);
int hd_libc_feof(FILE *file);
int hd_libc_ferror(FILE *file);
void hd_libc_clearerr(FILE *file);
void hd_libc_setlinebuf(FILE *file);
void hd_libc_flockfile(FILE *file);
void hd_libc_stream_enter(FILE *file);
int hd_libc_fwide(FILE *file, int mode);
int hd_libc_wide_begin(FILE *file);
void hd_libc_wide_end(FILE *file);
int hd_libc_ftrylockfile(FILE *file);
void hd_libc_funlockfile(FILE *file);
int hd_libc_fseek(FILE *file, long offset, int whence);
long hd_libc_ftell(FILE *file);
void hd_libc_rewind(FILE *file);
int hd_libc_ungetc(int c, FILE *file);
/* The result of the call is the low byte of `e`, as an int. */
void hd_return_byte(hd_machine *m, hd_expr e);
/* For models/stdio.c: the next byte, or EOF. */
int hd_libc_stream_get(FILE *file);

/* libc/shared.c */
int hd_libc_shm_open(const char *name, int flags, unsigned mode);
int hd_libc_shm_unlink(const char *name);
void *hd_libc_mmap(void *wanted, size_t n, int protection, int flags, int descriptor,
                   int64_t offset);
int hd_libc_munmap(void *address, size_t n);
int hd_libc_mprotect(void *address, size_t n, int bits);
int hd_libc_msync(void *p, size_t n, int flags);
int hd_shared_truncate(hd_machine *m, const hd_file *f, int64_t size);
void hd_shared_stat(const hd_file *f, struct stat *out);

/* libc/counter.c */
int hd_libc_eventfd(unsigned value, int flags);
int hd_libc_eventfd_read(int descriptor, uint64_t *out);
int hd_libc_eventfd_write(int descriptor, uint64_t value);
int hd_libc_timerfd_create(int clock, int flags);
int hd_libc_timerfd_settime(int descriptor, int flags, const struct itimerspec *wanted,
                            struct itimerspec *old);
int hd_libc_timerfd_gettime(int descriptor, struct itimerspec *out);
/* read and write of such a descriptor. */
int64_t hd_counter_read(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n);
int64_t hd_counter_write(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n);

/* libc/socket.c */
int hd_libc_socket(int domain, int type, int protocol);
int hd_libc_socketpair(int domain, int type, int protocol, int *out);
int hd_libc_bind(int descriptor, const void *address, unsigned length);
int hd_libc_listen(int descriptor, int backlog);
int hd_libc_connect(int descriptor, const void *address, unsigned length);
int hd_libc_accept(int descriptor, void *address, unsigned *length);
int hd_libc_accept4(int descriptor, void *address, unsigned *length, int flags);
int hd_libc_shutdown(int descriptor, int how);
int hd_libc_getsockname(int descriptor, void *address, unsigned *length);
int hd_libc_getpeername(int descriptor, void *address, unsigned *length);

/* libc/socket_message.c */
int64_t hd_libc_send(int descriptor, const void *bytes, size_t n, int flags);
int64_t hd_libc_sendto(int descriptor, const void *bytes, size_t n, int flags, const void *address,
                       unsigned length);
int64_t hd_libc_sendmsg(int descriptor, const struct msghdr *message, int flags);
int64_t hd_libc_recv(int descriptor, void *out, size_t n, int flags);
int64_t hd_libc_recvfrom(int descriptor, void *out, size_t n, int flags, void *address,
                         unsigned *length);
int64_t hd_libc_recvmsg(int descriptor, struct msghdr *message, int flags);

/* libc/socket_option.c */
int hd_libc_setsockopt(int descriptor, int level, int option, const void *value, unsigned length);
int hd_libc_getsockopt(int descriptor, int level, int option, void *value, unsigned *length);

/* libc/poll.c */
int hd_libc_poll(struct pollfd *files, uint64_t n, int timeout);
int hd_libc_ppoll(struct pollfd *files, uint64_t n, const struct timespec *timeout,
                  const void *mask);
int hd_libc_select(int n, fd_set *reading, fd_set *writing, fd_set *others,
                   struct timeval *timeout);
int hd_libc_pselect(int n, fd_set *reading, fd_set *writing, fd_set *others,
                    const struct timespec *timeout, const void *mask);
long hd_libc_fdelt_chk(long descriptor);

/* libc/poll_epoll.c */
int hd_libc_epoll_create(int size);
int hd_libc_epoll_create1(int flags);
int hd_libc_epoll_ctl(int descriptor, int operation, int target, struct epoll_event *event);
int hd_libc_epoll_wait(int descriptor, struct epoll_event *out, int n, int timeout);
int hd_libc_epoll_pwait(int descriptor, struct epoll_event *out, int n, int timeout,
                        const void *mask);

/* libc/mqueue.c */
int hd_libc_mq_open(const char *name, int flags, unsigned mode, const struct mq_attr *attributes);
int hd_libc_mq_close(int queue);
int hd_libc_mq_unlink(const char *name);
int hd_libc_mq_send(int queue, const char *bytes, size_t n, unsigned priority);
int hd_libc_mq_timedsend(int queue, const char *bytes, size_t n, unsigned priority,
                         const struct timespec *when);
int64_t hd_libc_mq_receive(int queue, char *out, size_t n, unsigned *priority);
int64_t hd_libc_mq_timedreceive(int queue, char *out, size_t n, unsigned *priority,
                                const struct timespec *when);
int hd_libc_mq_getattr(int queue, struct mq_attr *out);
int hd_libc_mq_setattr(int queue, const struct mq_attr *wanted, struct mq_attr *old);

/* libc/flock.c */
struct flock;
int hd_libc_flock(int descriptor, int operation);
bool hd_lock_is_command(int command);
int hd_lock_command(hd_machine *m, hd_file *f, int command, struct flock *argument);
/* libc/interface.c: requests of ioctl that are about network interfaces */
bool hd_interface_is_asked(const hd_file *f, unsigned long request);
/* Would it change interfaces or routes, or is it about radio, which no interface has? */
bool hd_interface_is_changed(const hd_file *f, unsigned long request);
int hd_interface_change(hd_machine *m, unsigned long request);
int hd_interface_ask(hd_machine *m, unsigned long request, void *argument);
/* libc/multicast.c: options of sockets that are about groups (multicast) */
int hd_group_change(hd_machine *m, hd_file *f, bool joins, const void *value, unsigned length);
int hd_group_interface(hd_machine *m, hd_socket *s, const void *value, unsigned length);
int hd_group_change_v6(hd_machine *m, hd_file *f, bool joins, const void *value, unsigned length);
int hd_group_interface_v6(hd_machine *m, hd_socket *s, const void *value, unsigned length);

/* libc/address.c */
int hd_libc_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                        struct addrinfo **out);
void hd_libc_freeaddrinfo(struct addrinfo *list);
const char *hd_libc_gai_strerror(int error);
int hd_libc_getnameinfo(const void *address, unsigned length, char *host, unsigned host_length,
                        char *service, unsigned service_length, int flags);
struct hostent *hd_libc_find_host(const char *name);
struct servent *hd_libc_find_service(const char *name, const char *protocol);
int hd_libc_gethostname(char *out, size_t n);
int hd_libc_uname(struct utsname *out);
#endif
