import Glibc

/// Whether this run is watched by a sanitizer: programs are many times slower then, and have a thread more, which is never at rest.
package enum Sanitizer {
  package static var isOn: Bool { dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil }
}
