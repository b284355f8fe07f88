// The Linux calls that Swift's Glibc module does not show, or cannot call.
// _GNU_SOURCE stays in the .c file: in a header it would define fd_set a second time for Swift.
#pragma once
#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

/// The arguments that the kernel gave to this process, the program's name first, as the C library hands them to constructors. Needs no
/// /proc, where Swift's own list comes from.
int clinux_argument_count(void);
const char *clinux_argument(int index);

/// The path by which the program was started (AT_EXECFN, getauxval(3)); null where the kernel does not say.
const char *clinux_program_path(void);

/// socket(2) with SOCK_CLOEXEC. For files that import CCurl too: its header declares SOCK_CLOEXEC once more, and in an optimised build
/// the compiler then misses it in all other files of the module.
int clinux_socket(int family, int type, int protocol);

/// accept4(2) with SOCK_CLOEXEC and SOCK_NONBLOCK. Answers the descriptor, or -1 with errno.
int clinux_accept(int descriptor);

/// One answer of epoll_wait(2), without the packing that Swift cannot read everywhere.
struct clinux_ready {
  uint64_t name;
  int input;
  int output;
};

/// epoll_create1(2), close-on-exec. Answers the descriptor, or -1 with errno.
int clinux_poll(void);

/// epoll_ctl(2): has `poll` report the descriptor under that name while it can be read, or written, as it says; with neither it
/// is reported no more. `known` says whether it was so far. Answers 0, or -1 with errno.
int clinux_poll_set(int poll, int descriptor, uint64_t name, int input, int output, int known);

/// epoll_wait(2) without waiting, at most 64 at a time. Whoever hangs up or fails can be read and written. Answers their number.
int clinux_poll_ready(int poll, struct clinux_ready *ready, int most);

/// timerfd_create(2) on CLOCK_BOOTTIME (which counts suspend), close-on-exec and non-blocking.
int clinux_boottime_timer(void);

/// timerfd_settime(2): fires once at this many nanoseconds of CLOCK_BOOTTIME; 0 disarms.
int clinux_set_timer(int descriptor, int64_t boottime_nanoseconds);

/// clock_gettime(2) of CLOCK_BOOTTIME, in nanoseconds.
int64_t clinux_boottime(void);

/// Whether a mode of stat(2) is that of a regular file / of a directory (the S_IS… macros).
int clinux_is_regular(mode_t mode);
int clinux_is_directory(mode_t mode);

/// posix_spawn_file_actions_addclosefrom_np(3): the child keeps no descriptor from this number on. Answers 0, or the error's number.
int clinux_spawn_closing_from(posix_spawn_file_actions_t *actions, int descriptor);

/// mallopt(3) with M_ARENA_MAX: all threads take memory from one heap. To be called before there are several.
void clinux_share_heap(void);

/// malloc_trim(3), and madvise(2) with MADV_DONTNEED for all loaded code and constants: the kernel reads them again when used.
void clinux_give_back_memory(void);

/// What the kernel says of one TCP socket (sock_diag(7)).
struct clinux_tcp_socket {
  /// The user who made it, as this process's user namespace knows him.
  uint32_t user;
  /// 0 when no process has it open any more.
  uint32_t inode;
  int listens;
};

/// A socket for questions to the kernel about sockets (sock_diag(7)), close-on-exec and non-blocking. Answers the descriptor, or -1
/// with errno.
int clinux_sock_diag(void);

/// Whether a descriptor is such a socket.
int clinux_is_sock_diag(int descriptor);

/// Reads away what has been answered there and not been read.
void clinux_sock_diag_forget(int diag);

/// Asks there for the TCP socket whose own address and port are the first and whose peer's are the second; a socket that listens at the
/// first counts as well. `family` is AF_INET, whose addresses are the first four bytes, or AF_INET6. `number` tells the answer from
/// those to other questions. Answers 0, or -1 with errno: ENOENT where there is no such socket.
int clinux_sock_diag_tcp(
    int diag, uint32_t number, int family, const uint8_t own[16], uint16_t own_port, const uint8_t peer[16], uint16_t peer_port,
    struct clinux_tcp_socket *found);
