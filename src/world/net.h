/* net.h -- everything that processes share through descriptors: the virtual network.
 *
 * Pure state: functions here change it at once and never wait.  Who may go on, in which order, and
 * what conflicts, is decided by the machine (machine/channels/ipc.h).  Sizes, error numbers and
 * corner cases are those of Linux.
 *
 * N1. A descriptor names a file; dup and fork make more descriptors of one file.  A file is gone
 *     when its last descriptor is closed and no message carries it.
 * N2. A pipe has one file for each end.
 * N3. Everything but the hosts lives for one execution.
 * N4. Items that were ever put at a door have numbers one after the other, whichever socket had the
 *     door: who binds an address that another has left goes on counting where that one ended.
 * N5. No two queues have one door at a time: who comes to a door that another socket has (a port at
 *     another address of the host, or an address that several share) gets a door behind it. */
#ifndef HD_WORLD_NET_H
#define HD_WORLD_NET_H
#include "base/map.h"
#include "world/disk.h"
#include "world/hosts.h"
#include "world/netlink.h"
#include "world/queue.h"
#include "world/socket.h"

typedef enum hd_file_kind {
    HD_FILE_STANDARD, /* descriptors 0, 1 and 2 of the worker */
    HD_FILE_DISK,     /* a file or directory: disk.h */
    HD_FILE_PIPE,     /* one end: `flags` says which */
    HD_FILE_SOCKET,
    HD_FILE_MESSAGES, /* a POSIX message queue */
    HD_FILE_EVENT,    /* eventfd */
    HD_FILE_TIMER,    /* timerfd */
    HD_FILE_EPOLL,
    HD_FILE_SHARED, /* shm_open */
} hd_file_kind;

/* An eventfd, or the expirations of a timerfd. */
typedef struct hd_counter {
    uint32_t id, owner;
    uint32_t n_changes; /* news for those who wait for edges: something may be there, */
    uint32_t n_taken;   /* and: there is more room */
    bool is_semaphore;
    uint64_t value;
    uint32_t value_shadow;      /* its expression; 0: it is concrete */
    uint64_t expires, interval; /* timerfd, in nanoseconds; 0 = not armed */
    int clock;
} hd_counter;

/* mq_open: lives as long as it has a name or is open. */
typedef struct hd_message_queue {
    char *name; /* NULL once it is unlinked */
    hd_queue *queue;
    uint32_t max_size;
} hd_message_queue;

/* A directory that is read; the machine knows what it is. */
typedef struct hd_listing hd_listing;
/* Memory with a name; the machine knows what it is. */
typedef struct hd_shared_object hd_shared_object;

typedef struct hd_file {
    uint8_t kind;        /* hd_file_kind */
    bool is_shared;      /* several processes have had it */
    hd_set users[2];     /* processes that used it, and that received from it */
    uint32_t changer[2]; /* 1 + the process that connected it, changed O_NONBLOCK; 0 = none */
    uint32_t n_references;
    int flags;       /* O_RDONLY, O_WRONLY or O_RDWR, and O_NONBLOCK */
    int host;        /* STANDARD: number outside */
    uint64_t offset; /* DISK, and in the text of a node's standard input */
    hd_inode *inode; /* DISK */
    hd_queue *queue; /* PIPE */
    hd_socket *socket;
    hd_message_queue *messages;
    hd_counter *counter;
    struct hd_epoll *epoll;
    hd_shared_object *memory; /* SHARED */
} hd_file;

typedef struct hd_descriptor {
    hd_file *file; /* NULL: closed */
    bool closes_on_exec;
    bool is_reserved; /* a thread is about to open it */
} hd_descriptor;

#define HD_MAX_DESCRIPTORS 1024
typedef struct hd_descriptor_table {
    hd_descriptor *at;
    uint32_t n;
    uint32_t host;       /* that the process lives on */
    unsigned mask;       /* umask */
    hd_inode *directory; /* the working one; NULL: where the program began */
    hd_inode *top;       /* where paths begin (chroot); NULL: at the root */
    bool is_used;
} hd_descriptor_table;

typedef struct hd_binding {
    hd_address address;
    uint32_t host;
    int type;          /* SOCK_STREAM, SOCK_DGRAM, ... */
    hd_socket *socket; /* NULL: a path in the file system that nobody has open any more */
} hd_binding;

typedef struct hd_net {
    hd_arena arena;
    hd_hosts hosts;
    hd_vec(hd_descriptor_table) tables; /* by process */
    hd_vec(hd_binding) bindings;
    hd_map n_put; /* at doors whose socket is gone: N4 */
    hd_vec(hd_message_queue *) message_queues;
    hd_map cables; /* sockets that are ends of one: socket.h */
    hd_disk disk;
    hd_listing *listings;      /* directories that are read, of this execution */
    hd_shared_object *shared;  /* memory with names, of this execution */
    hd_netlink_entry *entries; /* routes and rules of hosts, of this execution */
    hd_socket *askers;         /* sockets of AF_NETLINK that are bound, of this execution */
    uint64_t n_lost;           /* datagrams that found nobody */
} hd_net;

/* As at the start of an execution: nobody has anything open. */
void hd_net_clear(hd_net *n);
void hd_net_release(hd_net *n);

/* ---- descriptor.c ---- */
/* The table of a process, made with 0, 1 and 2 open if it is new. */
hd_descriptor_table *hd_net_table(hd_net *n, uint32_t process);
/* The child has what the parent has, and lives where it does. */
void hd_net_fork(hd_net *n, uint32_t parent, uint32_t child);
hd_file *hd_file_new(hd_net *n, hd_file_kind kind, int flags);
/* The file of an open descriptor, or NULL. */
hd_file *hd_descriptor_file(hd_net *n, uint32_t process, int descriptor);
/* The lowest free descriptor from `lowest` on names `file` now; -1 if there are too many. */
int hd_descriptor_add(hd_net *n, uint32_t process, int lowest, hd_file *file, bool closes_on_exec);
/* hd_descriptor_add in two steps (then hd_descriptor_set): meanwhile the number names nothing. */
int hd_descriptor_reserve(hd_net *n, uint32_t process, int lowest);
/* Is no number left? */
bool hd_descriptors_are_full(hd_net *n, uint32_t process);
/* The given descriptor, which is free or reserved, names `file` now. */
void hd_descriptor_set(hd_net *n, uint32_t process, int descriptor, hd_file *file,
                       bool closes_on_exec);
/* An open descriptor is closed; answers its file, which is gone if it has no references left. */
hd_file *hd_descriptor_remove(hd_net *n, uint32_t process, int descriptor);
/* hd_descriptor_remove in two steps: the number is free, and then the file loses a reference. */
hd_file *hd_descriptor_take(hd_net *n, uint32_t process, int descriptor);
void hd_descriptor_release(hd_net *n, uint32_t process, hd_file *file);
/* How many descriptors of the process mean this file? */
uint32_t hd_descriptor_count(hd_net *n, uint32_t process, const hd_file *file);
/* The queue that is read with a file; NULL if there is none (write ends of pipes, message queues).
 */
hd_queue *hd_file_source(const hd_file *f);

/* ---- port.c: who has which address ---- */
/* What uses of an address conflict on: the same for all that could meet. */
uint32_t hd_port_door(uint32_t host, int type, const hd_address *a);
/* 0 or an error number. */
int hd_port_bind(hd_net *n, hd_socket *s, const hd_address *a);
/* Give the socket a free port, as the first send or connect does. */
void hd_port_bind_any(hd_net *n, hd_socket *s, const uint8_t to[HD_IP_SIZE]);
/* The socket that would get something sent from host `from` to `a`; NULL if none.
 * *error: ECONNREFUSED, or ENOENT for a path that does not exist. */
hd_socket *hd_port_find(const hd_net *n, uint32_t from, int type, const hd_address *a, int *error);
/* Addresses of the socket are free; a path stays until it is unlinked. */
void hd_port_release(hd_net *n, hd_socket *s);
/* The socket is as if it had never been bound: a connect that got a port for itself has failed. */
void hd_port_unbind(hd_net *n, hd_socket *s);
/* Remove a path; false if no socket was ever bound to it. */
bool hd_port_unlink(hd_net *n, uint32_t host, const char *path);

/* ---- messages.c ---- */
hd_message_queue *hd_messages_find(const hd_net *n, const char *name);
hd_message_queue *hd_messages_new(hd_net *n, const char *name, uint32_t id, uint32_t owner,
                                  uint32_t max_messages, uint32_t max_size);
#endif
