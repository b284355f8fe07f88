// Linux functions that Swift's Glibc module does not declare, or that Swift cannot call. _GNU_SOURCE is defined only in the .c
// file: in a header, it would define fd_set a second time for Swift.
#pragma once
#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

/// The arguments of this process, with the program's name first. The C library passes them to constructors, so this works without /proc,
/// unlike Swift's own list.
int clinux_argument_count(void);
const char *clinux_argument(int index);

/// The path that the program was started with (AT_EXECFN, getauxval(3)); NULL if the kernel does not report it.
const char *clinux_program_path(void);

/// socket(2) with SOCK_CLOEXEC. For files that also import CCurl: its header declares SOCK_CLOEXEC again, and an optimised build then does
/// not find the constant.
int clinux_socket(int family, int type, int protocol);

/// accept4(2) with SOCK_CLOEXEC and SOCK_NONBLOCK. Returns the descriptor, or -1 with errno.
int clinux_accept(int descriptor);

/// An event of epoll_wait(2). Swift cannot read the packed `epoll_event` on every platform.
struct clinux_ready {
  uint64_t name;
  int input;
  int output;
};

/// epoll_create1(2), close-on-exec. Returns the descriptor, or -1 with errno.
int clinux_poll(void);

/// epoll_ctl(2): makes `poll` report the descriptor as `name` while it is readable (`input`) or writable (`output`). If both are 0, removes
/// the descriptor. `known` is 1 if the descriptor is already registered. Returns 0, or -1 with errno.
int clinux_poll_set(int poll, int descriptor, uint64_t name, int input, int output, int known);

/// epoll_wait(2) without blocking, for at most 64 events. A hang-up or an error counts as readable and writable. Returns the number of
/// events.
int clinux_poll_ready(int poll, struct clinux_ready *ready, int most);

/// timerfd_create(2) with CLOCK_BOOTTIME, which keeps running while the machine is suspended; close-on-exec and non-blocking.
int clinux_boottime_timer(void);

/// timerfd_settime(2): fires once, at this time of CLOCK_BOOTTIME in nanoseconds; 0 disarms the timer.
int clinux_set_timer(int descriptor, int64_t boottime_nanoseconds);

/// clock_gettime(2) with CLOCK_BOOTTIME, in nanoseconds.
int64_t clinux_boottime(void);

/// Whether a mode from stat(2) belongs to a regular file, or to a directory (S_ISREG, S_ISDIR).
int clinux_is_regular(mode_t mode);
int clinux_is_directory(mode_t mode);
/// The same for a symbolic link (S_ISLNK), which lstat(2) reports.
int clinux_is_link(mode_t mode);

/// renameat2(2) with RENAME_NOREPLACE: never replaces a file. Returns 0, or -1 with errno: EEXIST if the name is taken, EINVAL or ENOSYS if
/// the file system or the kernel does not support it.
int clinux_rename_to_free(const char *path, const char *name);

/// posix_spawn_file_actions_addclosefrom_np(3): in the child, closes all descriptors from this number on. Returns 0, or an error number.
int clinux_spawn_closing_from(posix_spawn_file_actions_t *actions, int descriptor);

/// mallopt(3) with M_ARENA_MAX: all threads share one heap. Call it before the process has a second thread.
void clinux_share_heap(void);

/// malloc_trim(3), and madvise(2) with MADV_DONTNEED for all loaded code and constants, which the kernel loads again on their next use.
void clinux_give_back_memory(void);

/// The kernel's data about a TCP socket (sock_diag(7)).
struct clinux_tcp_socket {
  /// The user id of the creator, in this process's user namespace.
  uint32_t user;
  /// The inode; 0 if no process has the socket open.
  uint32_t inode;
  int listens;
};

/// Opens a netlink socket for sock_diag(7) requests, close-on-exec and non-blocking. Returns the descriptor, or -1 with errno.
int clinux_sock_diag(void);

/// Whether a descriptor is a netlink socket for sock_diag(7).
int clinux_is_sock_diag(int descriptor);

/// Discards unread responses of a sock_diag(7) socket.
void clinux_sock_diag_forget(int diag);

/// Finds the TCP socket with these local and peer addresses and ports, or a socket that listens on the local address. `family` is AF_INET,
/// for addresses in the first four bytes, or AF_INET6. `number` identifies the response. Returns 0, or -1 with errno: ENOENT if there is no
/// such socket.
int clinux_sock_diag_tcp(
    int diag, uint32_t number, int family, const uint8_t own[16], uint16_t own_port, const uint8_t peer[16], uint16_t peer_port,
    struct clinux_tcp_socket *found);
