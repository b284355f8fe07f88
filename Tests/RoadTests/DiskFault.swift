import Glibc

/// A simulated disk failure: which file-changing call fails, and how.
struct DiskFault: CustomStringConvertible {
  enum Extent: CaseIterable {
    /// Only that call fails.
    case once
    /// That call and all later ones fail, like a full disk or one that the kernel has made read-only.
    case lasting
    /// That call writes half of its bytes, and the next one fails.
    case half
  }

  /// The number of the call, from 1.
  let number: Int
  let extent: Extent
  /// The `errno` of the failing call.
  let code: Int32

  static let codes = [ENOSPC, EDQUOT, EIO, EROFS]

  /// Every kind of failure at one call.
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
