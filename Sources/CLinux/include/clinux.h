// The Linux calls that Swift's Glibc module does not show, or cannot call.
// _GNU_SOURCE stays in the .c file: in a header it would define fd_set a second time for Swift.
#pragma once
#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

/// accept4(2) with SOCK_CLOEXEC and SOCK_NONBLOCK. Answers the descriptor, or -1 with errno.
int clinux_accept(int descriptor);

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
