// This library is loaded before libc (LD_PRELOAD). It counts the calls that change files below a folder, and makes selected calls fail.
//
//   HOMELINE_FAULT_FOLDER   the folder
//   HOMELINE_FAULT_PLAN     an existing file with the plan (fault_plan.h)
//
// Without both variables, the library does nothing. The plan can also end the process with a signal before a call. A failing call is not made, except close(2), which closes the file and fails, as in the
// kernel.
#define _GNU_SOURCE
#include "fault_plan.h"
#include "refusals.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static struct fault_plan *plan;
static const char *folder;
static size_t folder_length;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("HOMELINE_FAULT_PLAN"), *below = getenv("HOMELINE_FAULT_FOLDER");
  if (!file || !below) return;
  // This calls the kernel by number, because this file defines a function with the call's name.
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void *there = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  syscall(SYS_close, descriptor);
  if (there == MAP_FAILED) return;
  folder = below;
  folder_length = strlen(below);
  plan = there;
}

__attribute__((destructor)) static void end(void) {
  if (plan) __atomic_add_fetch(&plan->exits, 1, __ATOMIC_SEQ_CST);
}

// The result of a call.
enum fate { goes_on, fails, falls_short };

static enum fate count(const char *call, const char *path, int can_fall_short) {
  int64_t number = __atomic_add_fetch(&plan->count, 1, __ATOMIC_SEQ_CST);
  if (!strcmp(call, "fsync") || !strcmp(call, "fdatasync")) __atomic_add_fetch(&plan->syncs, 1, __ATOMIC_SEQ_CST);
  int64_t first = __atomic_load_n(&plan->first, __ATOMIC_SEQ_CST);
  if (first == 0 || number < first || number > __atomic_load_n(&plan->last, __ATOMIC_SEQ_CST)) return goes_on;
  if (__atomic_fetch_add(&plan->failed, 1, __ATOMIC_SEQ_CST) == 0)
    snprintf(plan->name, sizeof plan->name, "%s %s", call, path);
  if (plan->half && number == first && can_fall_short) return falls_short;
  if (plan->code < 0) kill(getpid(), (int)-plan->code);
  errno = (int)plan->code;
  return fails;
}

static int is_below(const char *path) {
  return path && !strncmp(path, folder, folder_length) && path[folder_length] == '/';
}

static enum fate fate_of_path(const char *call, const char *path) {
  return plan && is_below(path) ? count(call, path, 0) : goes_on;
}

// Returns the path of a descriptor if the path is below the folder.
static int file_of(int descriptor, char *path, size_t size) {
  char link[40];
  int code = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, size - 1);
  errno = code;
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static enum fate fate_of(const char *call, int descriptor, int can_fall_short) {
  char path[4096];
  return plan && file_of(descriptor, path, sizeof path) ? count(call, path, can_fall_short) : goes_on;
}

// Returns the libc function that a function in this file replaces.
#define NEXT(name) \
  static __typeof__(name) *next; \
  if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define ON_PATH(name, path, parameters, ...) \
  int name parameters { \
    NEXT(name); \
    return fate_of_path(#name, path) ? -1 : next(__VA_ARGS__); \
  }

#define ON_FILE(name, parameters, ...) \
  int name parameters { \
    NEXT(name); \
    return fate_of(#name, fd, 0) ? -1 : next(__VA_ARGS__); \
  }

// These functions return the error and do not set errno.
#define ALLOCATING(name, offset_type) \
  int name(int fd, offset_type offset, offset_type length) { \
    NEXT(name); \
    int code = errno; \
    enum fate fate = fate_of(#name, fd, 0); \
    errno = code; \
    return fate ? (int)plan->code : next(fd, offset, length); \
  }

#define OPENING(name) \
  int name(const char *path, int flags, ...) { \
    NEXT(name); \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    int writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT; \
    if (refuses_to_open(path)) return errno = EACCES, -1; \
    return writes && fate_of_path(#name, path) ? -1 : next(path, flags, mode); \
  }

#define OPENING_AT(name) \
  int name(int folder_fd, const char *path, int flags, ...) { \
    NEXT(name); \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    int writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT; \
    return writes && fate_of_path(#name, path) ? -1 : next(folder_fd, path, flags, mode); \
  }

#define WRITING_AT(name, offset_type) \
  ssize_t name(int fd, const void *bytes, size_t size, offset_type offset) { \
    NEXT(name); \
    enum fate fate = fate_of(#name, fd, size > 1); \
    return fate == fails ? -1 : next(fd, bytes, fate == falls_short ? size / 2 : size, offset); \
  }

OPENING(open)
OPENING(open64)
OPENING_AT(openat)
OPENING_AT(openat64)

ssize_t write(int fd, const void *bytes, size_t size) {
  NEXT(write);
  enum fate fate = fate_of("write", fd, size > 1);
  return fate == fails ? -1 : next(fd, bytes, fate == falls_short ? size / 2 : size);
}

WRITING_AT(pwrite, off_t)
WRITING_AT(pwrite64, off64_t)

ssize_t writev(int fd, const struct iovec *pieces, int number) {
  NEXT(writev);
  return fate_of("writev", fd, 0) ? -1 : next(fd, pieces, number);
}

ON_FILE(fsync, (int fd), fd)
ON_FILE(fdatasync, (int fd), fd)
ON_FILE(ftruncate, (int fd, off_t length), fd, length)
ON_FILE(ftruncate64, (int fd, off64_t length), fd, length)
ON_FILE(fallocate, (int fd, int mode, off_t offset, off_t length), fd, mode, offset, length)
ON_FILE(fallocate64, (int fd, int mode, off64_t offset, off64_t length), fd, mode, offset, length)
ALLOCATING(posix_fallocate, off_t)
ALLOCATING(posix_fallocate64, off64_t)
ON_FILE(fchmod, (int fd, mode_t mode), fd, mode)
ON_FILE(fchown, (int fd, uid_t owner, gid_t group), fd, owner, group)
ON_FILE(futimens, (int fd, const struct timespec times[2]), fd, times)

ON_PATH(rename, to, (const char *from, const char *to), from, to)
ON_PATH(renameat, to, (int in, const char *from, int into, const char *to), in, from, into, to)
ON_PATH(
    renameat2, to, (int in, const char *from, int into, const char *to, unsigned flags), in, from, into, to, flags)
ON_PATH(link, to, (const char *from, const char *to), from, to)
ON_PATH(symlink, to, (const char *target, const char *to), target, to)
ON_PATH(unlink, path, (const char *path), path)
ON_PATH(unlinkat, path, (int in, const char *path, int flags), in, path, flags)
ON_PATH(rmdir, path, (const char *path), path)
ON_PATH(mkdir, path, (const char *path, mode_t mode), path, mode)
ON_PATH(mkdirat, path, (int in, const char *path, mode_t mode), in, path, mode)
ON_PATH(chmod, path, (const char *path, mode_t mode), path, mode)
ON_PATH(truncate, path, (const char *path, off_t length), path, length)

char *mkdtemp(char *template) {
  NEXT(mkdtemp);
  return fate_of_path("mkdtemp", template) ? NULL : next(template);
}

int close(int fd) {
  NEXT(close);
  // Only descriptors that are open for writing can report errors.
  int flags = plan ? (int)syscall(SYS_fcntl, fd, F_GETFL) : -1;
  int writes = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
  enum fate fate = writes ? fate_of("close", fd, 0) : goes_on;
  int code = errno, answer = next(fd);
  if (fate == goes_on) return answer;
  errno = code;
  return -1;
}
