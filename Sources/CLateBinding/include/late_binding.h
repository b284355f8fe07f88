// Functions of a shared library that is loaded with the first call of one of them.
//
// What a program names as needed is loaded and bound before its first instruction, whether this run calls it or not: for libcurl,
// libcrypto and libsqlite3 together that is most of the time of a short command. docs/decisions/0028-libraries-loaded-on-first-use.md
#pragma once
#include <stdatomic.h>
#include <stddef.h>

struct late_library {
  /// What the dynamic loader knows it by: the name with the version that the headers are of.
  const char *name;
  /// The Debian package to name where it is missing.
  const char *package;
  /// What dlopen(3) gave.
  _Atomic(void *) handle;
};

/// Loads a library unless that was done. Answers NULL, or the dynamic loader's words for why it cannot be had; they belong to the
/// calling thread, up to its next call.
const char *late_load(struct late_library *library);

/// The address of a function. Ends the process with status 127, as the dynamic loader does, and with words of ours on standard
/// error where there is none.
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
