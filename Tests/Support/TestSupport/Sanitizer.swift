import Glibc

/// Whether this run uses a sanitizer. Programs are then several times slower, and have an additional thread that never
/// sleeps.
package enum Sanitizer {
  package static var isOn: Bool { dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil }
}
