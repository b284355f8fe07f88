// Calls functions of a shared library that is loaded with the first of these calls.
//
// A library that a program is linked with is loaded and bound before the program's first instruction, whether this run calls it or not. For
// libcurl that takes most of the time of a short command: docs/decisions/0028-libraries-loaded-on-first-use.md
#pragma once
#include <stdatomic.h>
#include <stddef.h>

struct late_library {
  /// The library's versioned file name, of the version that the headers belong to.
  const char *name;
  /// The Debian package to name when the library is missing.
  const char *package;
  /// The result of dlopen(3).
  _Atomic(void *) handle;
};

/// Loads a library unless it is loaded already. Returns NULL, or the dynamic loader's message, which belongs to the calling thread and is
/// valid until its next call.
const char *late_load(struct late_library *library);

/// The address of a function. Where there is none, it ends the process with status 127, as the dynamic loader does, and a message on
/// standard error.
void *late_symbol(struct late_library *library, const char *name);

/// A function of a library, with the type that the library's header gives it, looked up once.
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
