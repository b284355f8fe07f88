// Calls functions of a shared library, which is loaded at the first call.
//
// The dynamic loader loads and binds a linked library before the program starts, even if the program never calls it. With libcurl,
// that takes most of the time of a short command: docs/decisions/0028-libraries-loaded-on-first-use.md
#pragma once
#include <stdatomic.h>
#include <stddef.h>

struct late_library {
  /// The library's file name, with the version of the headers.
  const char *name;
  /// The Debian package to mention if the library is missing.
  const char *package;
  /// The result of dlopen(3).
  _Atomic(void *) handle;
};

/// Loads a library at the first call. Returns NULL, or the dynamic loader's message, which is valid until this thread's next call of the
/// loader.
const char *late_load(struct late_library *library);

/// Returns the address of a function. If there is none, writes a message to standard error and ends the process with status 127, as the
/// dynamic loader does.
void *late_symbol(struct late_library *library, const char *name);

/// A function of a library, with its type from the library's header. It is looked up only once.
#define LATE(library, function)                                                      \
  (__extension__({                                                                   \
    static _Atomic(void *) bound;                                                    \
    void *address = atomic_load_explicit(&bound, memory_order_acquire);              \
    if (__builtin_expect(address == NULL, 0)) {                                      \
      address = late_symbol(&(library), #function);                                  \
      atomic_store_explicit(&bound, address, memory_order_release);                  \
    }                                                                                \
    (__typeof__(&(function)))address;                                                \
  }))
