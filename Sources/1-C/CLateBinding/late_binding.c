#include "late_binding.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

const char *late_load(struct late_library *library) {
  if (atomic_load_explicit(&library->handle, memory_order_acquire)) return NULL;
  // Two threads can reach this point at the same time. Both receive the same handle, which is never closed.
  void *handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  atomic_store_explicit(&library->handle, handle, memory_order_release);
  return NULL;
}

// Ends the process immediately, without flushing stdio's buffers or running exit handlers.
static void end(const struct late_library *library, const char *reason) {
  char text[1024];
  int length = snprintf(text, sizeof text, "homeline: could not load %s: %s. Install the package %s, or its equivalent on your system\n",
                        library->name, reason ? reason : "the dynamic loader gives no reason", library->package);
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
