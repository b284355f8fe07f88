import Glibc
import Platform
import TestSupport
import Testing
import Time

/// A fake wall clock for programs, which the test can set while they run (faketime(1)). The monotonic clock is
/// unaffected.
final class FakeTime: Sendable {
  /// Debian's libfaketime; `nil` if it is not installed.
  static let library: String? = {
    let folders = (try? Folder.names(in: "/usr/lib")) ?? []
    return folders.lazy.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }.first { access($0, R_OK) == 0 }
  }()

  private let folder = TemporaryFolder()
  private var file: String { "\(folder.path)/offset" }

  init() throws { try set(.zero) }

  /// Sets the clock for all programs that use it.
  /// - Parameter offset: the difference from this machine's clock, in whole seconds.
  func set(_ offset: Duration) throws {
    let seconds = offset.components.seconds
    try AtomicFile.write(Array("\(seconds < 0 ? "" : "+")\(seconds)\n".utf8), to: file, .replaced)
  }

  /// The environment variables for programs under this clock.
  var variables: [String: String] { Self.common(["FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1"]) }

  /// Returns the environment variables for programs under a stopped clock.
  static func standing(at moment: Timestamp) -> [String: String] {
    common(["FAKETIME_FMT": "%s", "FAKETIME": "\(moment.seconds)"])
  }

  private static func common(_ more: [String: String]) -> [String: String] {
    // The name is unique, because programs that share a name remove each other's shared memory and then fail to start.
    let shared = "/homeline-test-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    let all = [
      "LD_PRELOAD": library ?? "", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
      // Without this variable, the library adds it to the environment, and Swift programs then cannot find their
      // arguments.
      "FAKETIME_SHARED": "\(shared) \(shared)",
    ]
    return all.merging(more) { $1 }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test if libfaketime cannot be used.
  static var needsFakeTime: Self {
    .enabled(
      if: FakeTime.library != nil && !Sanitizer.isOn, "libfaketime is not installed, or a sanitizer prevents loading it"
    )
  }
}
