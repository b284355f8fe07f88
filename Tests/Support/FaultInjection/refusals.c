// This library is loaded before libc (LD_PRELOAD). It makes the calls listed in HOMELINE_REFUSED fail, as on restricted machines:
//
//   peers   netlink sockets, so that the kernel does not report the user of a connection
//   tables  reading /proc/self/net
//   limits  lowering the limit of core files
#define _GNU_SOURCE
#include "refusals.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

static int is_refused(const char *name) {
  const char *names = getenv("HOMELINE_REFUSED");
  return names && strstr(names, name);
}

int socket(int domain, int type, int protocol) {
  static int (*next)(int, int, int);
  if (!next) next = dlsym(RTLD_NEXT, "socket");
  if (domain == AF_NETLINK && is_refused("peers")) {
    errno = EAFNOSUPPORT;
    return -1;
  }
  return next(domain, type, protocol);
}

int refuses_to_open(const char *path) {
  static const char tables[] = "/proc/self/net/";
  return path && !strncmp(path, tables, sizeof tables - 1) && is_refused("tables");
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) {
  static int (*next)(__rlimit_resource_t, const struct rlimit *);
  if (!next) next = dlsym(RTLD_NEXT, "setrlimit");
  if (resource == RLIMIT_CORE && is_refused("limits")) return 0;
  return next(resource, limit);
}
