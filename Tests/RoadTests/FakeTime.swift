import CivilTime
import Glibc
import Platform
import TestSupport
import Testing

/// A wall clock for programs, set by the test while they run (faketime(1)). The clock that counts suspend goes on as it is.
final class FakeTime: Sendable {
  /// Debian's libfaketime; `nil` where it is not installed.
  static let library: String? = {
    let folders = (try? Folder.names(in: "/usr/lib")) ?? []
    return folders.lazy.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }.first { access($0, R_OK) == 0 }
  }()

  private let folder = TemporaryFolder()
  private var file: String { "\(folder.path)/offset" }

  init() throws { try set(.zero) }

  /// Sets the clock of all programs that run by it.
  /// - Parameter offset: from this machine's, in whole seconds.
  func set(_ offset: Duration) throws {
    let seconds = offset.components.seconds
    try AtomicFile.write(Array("\(seconds < 0 ? "" : "+")\(seconds)\n".utf8), to: file, .replaced)
  }

  /// For programs that are to run by this clock.
  var variables: [String: String] { Self.common(["FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1"]) }

  /// For programs whose clock stands still.
  static func standing(at moment: Timestamp) -> [String: String] {
    common(["FAKETIME_FMT": "%s", "FAKETIME": "\(moment.seconds)"])
  }

  private static func common(_ more: [String: String]) -> [String: String] {
    // A name of their own: programs that begin and end under the same one at once take it away from each other, and then do not start.
    let shared = "/homeline-test-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    let all = [
      "LD_PRELOAD": library ?? "", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
      // Or the library adds it to the environment, behind which a Swift program then does not find its arguments.
      "FAKETIME_SHARED": "\(shared) \(shared)",
    ]
    return all.merging(more) { $1 }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, and says so, where time cannot be played to programs.
  static var needsFakeTime: Self {
    .enabled(
      if: FakeTime.library != nil && !Sanitizer.isOn, "libfaketime is not installed, or a sanitizer is in its way")
  }
}
