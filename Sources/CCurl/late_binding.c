#include "late_binding.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

const char *late_load(struct late_library *library) {
  if (atomic_load_explicit(&library->handle, memory_order_acquire)) return NULL;
  // Two threads may come here at once: both get the same handle, and it is never given back.
  void *handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  atomic_store_explicit(&library->handle, handle, memory_order_release);
  return NULL;
}

// Written at once and without stdio's buffers: nothing else of the process is waited for.
static void end(const struct late_library *library, const char *words) {
  char text[1024];
  int length = snprintf(text, sizeof text, "homeline: %s cannot be used: %s. Install the package %s (or what your system calls it)\n",
                        library->name, words ? words : "the dynamic loader does not say why", library->package);
  if (length > (int)sizeof text - 1) length = sizeof text - 1;
  if (length > 0 && write(STDERR_FILENO, text, (size_t)length) < 0) _exit(127);
  _exit(127);
}

void *late_symbol(struct late_library *library, const char *name) {
  const char *failure = late_load(library);
  if (failure) end(library, failure);
  void *address = dlsym(atomic_load_explicit(&library->handle, memory_order_acquire), name);
  if (!address) end(library, dlerror());
  return address;
}
