import Glibc

/// What goes wrong with the disk while a program runs: with which of the calls that change files, and how.
struct DiskFault: CustomStringConvertible {
  enum Extent: CaseIterable {
    /// That call fails, and no other.
    case once
    /// That call and all behind it fail: a disk that stays full, or that the kernel has made read-only.
    case lasting
    /// That call writes half of what it was given, and the next one fails.
    case half
  }

  /// The number of the call, from 1.
  let number: Int
  let extent: Extent
  /// What it sets `errno` to.
  let code: Int32

  static let codes = [ENOSPC, EDQUOT, EIO, EROFS]

  /// All that can go wrong with a call.
  static func all(at number: Int) -> [DiskFault] {
    Extent.allCases.flatMap { extent in codes.map { DiskFault(number: number, extent: extent, code: $0) } }
  }

  var lastNumber: Int {
    switch extent {
    case .once: number
    case .half: number + 1
    case .lasting: .max
    }
  }

  var description: String { "call \(number) \(extent): \(String(cString: strerror(code)))" }
}
