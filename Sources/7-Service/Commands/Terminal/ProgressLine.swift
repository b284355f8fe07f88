internal import HTTP
internal import Platform
internal import TerminalText

/// The progress of jobs in the last line of the terminal, on standard error: a bar, the share done, and the time left. Nothing is written
/// if standard error is not a terminal, or a terminal that cannot replace text. The line is at most as wide as the terminal, and is drawn at most four times a second.
package struct ProgressLine {
  /// What is counted.
  package enum Unit: Sendable, Hashable {
    case bytes
    /// The name of a thing, in singular and plural.
    case things(one: String, many: String)
  }

  /// The state of a job.
  package struct Job: Sendable, Hashable {
    /// The text at the beginning of the line. Jobs with different names are estimated separately.
    var name: String
    var unit: Unit
    var done: Int
    /// The final value of `done`; 0 if it is unknown.
    var total: Int
    /// Whether `total` is only the greatest possible value.
    var isTotalUpperBound: Bool
    /// The amount done in this run, for computing the rate; `done` can include earlier runs.
    var moved: Int
    /// Further details, such as the number of new posts.
    var details: [String]

    package init(
      _ name: String, _ unit: Unit, done: Int, of total: Int, isTotalUpperBound: Bool = false, moved: Int? = nil,
      details: [String] = []
    ) {
      self.name = name
      self.unit = unit
      self.done = done
      self.total = total
      self.isTotalUpperBound = isTotalUpperBound
      self.moved = moved ?? done
      self.details = details
    }
  }

  /// The shortest time between two drawings.
  static let interval = Duration.milliseconds(250)
  /// How long the rate is averaged over, and how long until it is known.
  private static let window = (longest: Duration.seconds(10), shortest: Duration.seconds(1))

  /// The amounts moved in the last seconds, oldest first, by job name.
  private var samples: [String: [(at: BootInstant, moved: Int)]] = [:]
  private var drawnAt: BootInstant?
  private var isShown = false

  package init() {}

  /// Whether a line is shown at all.
  package static var isVisible: Bool { Terminal.errorIsRedrawable }

  package mutating func show(_ job: Job) {
    guard Self.isVisible, let columns = Terminal.errorColumns, let line = line(for: job, columns: columns, at: .now)
    else { return }
    Terminal.draw(Self.cleared + RenderedText(line))
    isShown = true
  }

  /// Clears the line, before other output.
  package mutating func clear() {
    guard isShown else { return }
    Terminal.draw(Self.cleared)
    isShown = false
  }

  private static var cleared: RenderedText {
    var text = RenderedText()
    text.append(ControlSequence.clearedLine)
    return text
  }

  /// Returns the line to draw; nil if it is too soon after the previous one.
  mutating func line(for job: Job, columns: Int, at now: BootInstant) -> String? {
    let rate = rate(of: job, at: now)
    if let drawnAt, now - drawnAt < Self.interval { return nil }
    drawnAt = now
    return Self.text(of: job, rate: rate, columns: columns)
  }

  /// Returns the amount done per second; nil if it is not yet known.
  private mutating func rate(of job: Job, at now: BootInstant) -> Double? {
    var known = samples[job.name, default: []]
    known.append((now, job.moved))
    while known.count > 2, now - known[1].at > Self.window.longest { known.removeFirst() }
    // Events that arrive faster than lines are drawn need no extra samples.
    if known.count > 2, now - known[known.count - 2].at < Self.interval { known.remove(at: known.count - 2) }
    samples[job.name] = known
    let elapsed = now - known[0].at
    guard elapsed >= Self.window.shortest, job.moved > known[0].moved else { return nil }
    return Double(job.moved - known[0].moved) / (elapsed / .seconds(1))
  }

  /// Returns the text of the line. It leaves the last column free, because some terminals begin a new line after it.
  static func text(of job: Job, rate: Double?, columns: Int) -> String {
    let name = VisibleText.of(job.name.replacing("\n", with: " ").replacing("\t", with: " ")) + ": "
    var parts = [count(job)] + job.details
    if let rate {
      if job.unit == .bytes { parts.append("\(ByteCount.text(Int(rate)))/s") }
      if job.total > job.done { parts.append("\(time(Double(job.total - job.done) / rate)) left") }
    }
    let facts = VisibleText.of(parts.joined(separator: ", "))
    let space = columns - 1 - width(of: name) - width(of: facts) - 1
    guard job.total > 0, space >= 8 else { return cut(name + facts, to: columns - 1) }
    let length = min(space, 30)
    let full = min(length, Int(Double(length) * Double(max(0, job.done)) / Double(job.total)))
    return name + String(repeating: "█", count: full) + String(repeating: "░", count: length - full) + " " + facts
  }

  /// Returns the share and the amount done.
  private static func count(_ job: Job) -> String {
    let bound = job.isTotalUpperBound ? "of at most" : "of"
    let share = job.total > 0 ? "\(min(100, Int(100 * Double(max(0, job.done)) / Double(job.total))))%, " : ""
    switch job.unit {
    case .bytes:
      let total = job.total > 0 ? " \(bound) \(ByteCount.text(job.total))" : ""
      return share + ByteCount.text(job.done) + total
    case .things(let one, let many):
      let noun = (job.total > 0 ? job.total : job.done) == 1 ? one : many
      return share + (job.total > 0 ? "\(job.done) \(bound) \(job.total) \(noun)" : "\(job.done) \(noun)")
    }
  }

  /// Returns a duration as `M:SS` or `H:MM:SS`.
  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(seconds, 359_999))
    let padded = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(seconds % 60))" : "\(minutes):\(padded(seconds % 60))"
  }

  private static func width(of text: String) -> Int { text.reduce(0) { $0 + CharacterColumns.of($1) } }

  private static func cut(_ text: String, to columns: Int) -> String {
    var used = 0
    return String(
      text.prefix { character in
        used += CharacterColumns.of(character)
        return used <= columns
      })
  }
}
