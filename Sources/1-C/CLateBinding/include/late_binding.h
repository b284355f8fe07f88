// Calls functions of a shared library, which is loaded at the first call.
//
// The dynamic loader loads and binds a linked library before the program starts, even if the program never calls it. Loading libcurl takes
// up most of a short command's time: docs/decisions/code-and-libraries.md, 0028
#pragma once
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct late_library {
  /// The library's file name, with the version of the headers.
  const char *name;
  /// The Debian package to mention if the library is missing.
  const char *package;
  /// The result of dlopen(3).
  _Atomic(void *) handle;
};

/// Defines a library as a static variable. The arguments after the variable are string literals: the library's file name, and the Debian
/// package that contains it.
///
/// Each program that loads the library declares it (CHomeline, CHomelined). The declaration is not here, because other programs are linked
/// with the same code, but never call it.
#define LATE_BINDING(variable, soname, debian_package) static struct late_library variable = {soname, debian_package, NULL}

/// Declares a library, with its priority (required or recommended) and its purpose, in the program's section .note.dlopen (UAPI Group
/// Specifications, "ELF dlopen metadata"), because the program is not linked with the library. scripts/late-libraries reads these
/// declarations for packages.
#define LATE_DECLARATION(variable, soname, needed, purpose)                                                   \
  LATE_NOTE(variable, "[{\"soname\":[\"" soname "\"],\"priority\":\"" needed "\",\"description\":\"" purpose "\"}]")

/// An ELF note (elf(5)) with the owner FDO.
#define LATE_NOTE(variable, json)                                                            \
  __attribute__((used, aligned(4), section(".note.dlopen"))) static const struct {           \
    uint32_t owner_size, json_size, type;                                                    \
    char owner[4], text[sizeof(json)];                                                       \
  } variable = {4, sizeof(json), 0x407c0c0a, "FDO", json}

/// Loads a library at the first call. Returns NULL on success, otherwise the dynamic loader's message, which is valid until this thread's
/// next call to the loader.
const char *late_load(struct late_library *library);

/// Returns the address of a function. If the library does not have it, writes a message to standard error and ends the process with status
/// 127, as the dynamic loader does.
void *late_symbol(struct late_library *library, const char *name);

/// A function of a library, with its type from the library's header. Each use looks the function up only once.
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
