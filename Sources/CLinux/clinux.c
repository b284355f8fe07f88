#define _GNU_SOURCE
#include "clinux.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>

int clinux_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int clinux_boottime_timer(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int clinux_set_timer(int descriptor, int64_t boottime_nanoseconds) {
  struct itimerspec when = {0};
  when.it_value.tv_sec = boottime_nanoseconds / 1000000000;
  when.it_value.tv_nsec = boottime_nanoseconds % 1000000000;
  return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &when, NULL);
}

int64_t clinux_boottime(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int clinux_is_regular(mode_t mode) { return S_ISREG(mode); }
int clinux_is_directory(mode_t mode) { return S_ISDIR(mode); }

int clinux_spawn_closing_from(posix_spawn_file_actions_t *actions, int descriptor) {
  return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}
