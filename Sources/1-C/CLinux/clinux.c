#define _GNU_SOURCE
#include "clinux.h"
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

__attribute__((constructor)) static void keep_arguments(int count, char **list) {
  argument_count = count;
  arguments = list;
}

int clinux_argument_count(void) { return argument_count; }

const char *clinux_argument(int index) { return index < argument_count ? arguments[index] : NULL; }

const char *clinux_program_path(void) { return (const char *)getauxval(AT_EXECFN); }

int clinux_socket(int family, int type, int protocol) { return socket(family, type | SOCK_CLOEXEC, protocol); }

int clinux_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int clinux_poll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_poll_set(int poll, int descriptor, uint64_t name, int input, int output, int known) {
  struct epoll_event event = {.events = (input ? EPOLLIN : 0) | (output ? EPOLLOUT : 0), .data.u64 = name};
  // With no events, epoll would still report a hang-up repeatedly, so the descriptor is removed.
  int operation = !event.events ? EPOLL_CTL_DEL : known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  return epoll_ctl(poll, operation, descriptor, &event);
}

int clinux_poll_ready(int poll, struct clinux_ready *ready, int most) {
  struct epoll_event events[64];
  int count = epoll_wait(poll, events, most < 64 ? most : 64, 0);
  for (int index = 0; index < count; index++) {
    int broken = events[index].events & (EPOLLHUP | EPOLLERR);
    ready[index].name = events[index].data.u64;
    ready[index].input = broken || events[index].events & EPOLLIN;
    ready[index].output = broken || events[index].events & EPOLLOUT;
  }
  return count < 0 ? 0 : count;
}

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
int clinux_is_link(mode_t mode) { return S_ISLNK(mode); }

int clinux_rename_to_free(const char *path, const char *name) {
  return renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE);
}

int clinux_spawn_closing_from(posix_spawn_file_actions_t *actions, int descriptor) {
  return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}

// Releases only segments that are not writable. Writable segments contain relocated data, which exists only in this process and would be
// lost.
static int give_back(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  uintptr_t page = *(uintptr_t *)context;
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
    uintptr_t start = (object->dlpi_addr + part->p_vaddr + page - 1) & ~(page - 1);
    uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_filesz) & ~(page - 1);
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void clinux_share_heap(void) {
  mallopt(M_ARENA_MAX, 1);
  // A fixed threshold: glibc would raise it to the size of each large block that is freed, up to 32 MiB, and take later ones from the heap.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
}

void clinux_give_back_memory(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  malloc_trim(0);
  dl_iterate_phdr(give_back, &page);
}
