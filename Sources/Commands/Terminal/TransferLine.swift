internal import HTTP
package import Platform

/// Shows the progress of transfers in the last line of the terminal: bytes, percentage, rate and time left. The line is written to standard
/// error, but only if standard error is a terminal.
package struct TransferLine {
  private let columns: Int?
  private let name: String
  private var isShown = false
  /// The times and byte counts of the last few seconds, oldest first.
  private var samples: [(at: BootInstant, moved: Int)] = []

  /// The time over which the rate is averaged.
  private static let window = Duration.seconds(5)

  /// - Parameter name: the text at the beginning of the line.
  package init(_ name: String) {
    self.name = name
    columns = Terminal.errorColumns
  }

  package var isVisible: Bool { columns != nil }

  package mutating func show(_ snapshot: TransferProgress.Snapshot, at now: BootInstant) {
    guard let columns else { return }
    samples.append((now, snapshot.moved))
    while samples.count > 2, now - samples[1].at > Self.window { samples.removeFirst() }
    let elapsed = (now - samples[0].at) / Duration.seconds(1)
    let rate = elapsed > 0 ? Double(snapshot.moved - samples[0].moved) / elapsed : 0
    Terminal.draw(
      "\r\u{1b}[K" + VisibleText.of(Self.text(snapshot, name: name, bytesPerSecond: rate, columns: columns)))
    isShown = true
  }

  /// Clears the line, before other output.
  package mutating func clear() {
    guard isShown else { return }
    Terminal.draw("\r\u{1b}[K")
    isShown = false
  }

  /// Returns the text of the line. The text leaves the last column free, because some terminals begin a new line after it.
  static func text(
    _ snapshot: TransferProgress.Snapshot, name: String, bytesPerSecond rate: Double, columns: Int
  ) -> String {
    let files = snapshot.files > 1 ? ", \(snapshot.filesDone) of \(snapshot.files) files" : ""
    var parts = ["\(name): \(ByteCount.text(snapshot.done))"]
    if snapshot.total > 0 {
      let share = min(100, snapshot.done / max(1, snapshot.total / 100))
      parts = ["\(name): \(share)%, \(ByteCount.text(snapshot.done)) of \(ByteCount.text(snapshot.total))"]
    }
    parts[0] += files
    if rate >= 1 {
      parts.append("\(ByteCount.text(Int(rate)))/s")
      if snapshot.total > snapshot.done { parts.append("\(time(Double(snapshot.total - snapshot.done) / rate)) left") }
    }
    return String(parts.joined(separator: ", ").prefix(max(0, columns - 1)))
  }

  /// Returns a duration as `M:SS` or `H:MM:SS`.
  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(seconds, 359_999))
    let padded = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(seconds % 60))" : "\(minutes):\(padded(seconds % 60))"
  }
}
