import Platform

/// Records the lines of a log.
final class LogRecorder: Sendable {
  private let kept = Locked<[String]>([])

  var log: Log { Log { _, line in self.kept.withLock { $0.append(line) } } }
  var lines: [String] { kept.withLock { $0 } }

  func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}
