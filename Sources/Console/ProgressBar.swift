internal import Control
internal import Platform

/// A line at the foot of the terminal that says how far a job has come, on standard error and only where that is a terminal.
struct ProgressBar {
  /// What is counted, for one and for many.
  private let unit: (String, String)
  private let columns: Int?
  private var isShown = false

  init(of one: String, _ many: String) {
    unit = (one, many)
    columns = Terminal.errorColumns
  }

  mutating func show(_ progress: ControlEvent.Progress) {
    guard let columns else { return }
    Terminal.draw("\r\u{1b}[K" + VisibleText.of(Self.line(progress, unit: unit, columns: columns)))
    isShown = true
  }

  /// Takes the line away, before something else is written.
  mutating func clear() {
    guard isShown else { return }
    Terminal.draw("\r\u{1b}[K")
    isShown = false
  }

  /// Short of the last column, where some terminals begin a new line.
  static func line(_ progress: ControlEvent.Progress, unit: (String, String), columns: Int) -> String {
    let count = { (number: Int, unit: (String, String)) in "\(number) \(number == 1 ? unit.0 : unit.1)" }
    let posts = count(progress.posts, ("new post", "new posts"))
    guard progress.of > 0 else {
      return String("\(progress.account): \(count(progress.done, unit)), \(posts)".prefix(columns - 1))
    }
    let words = "\(progress.done) of at most \(count(progress.of, unit)), \(posts)"
    let room = columns - 1 - progress.account.count - words.count - 5
    guard room >= 8 else { return String("\(progress.account): \(words)".prefix(columns - 1)) }
    let width = min(room, 30)
    let full = min(width, width * progress.done / progress.of)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    return "\(progress.account): \(bar) \(words)"
  }
}
