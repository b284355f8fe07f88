package import Control
internal import Platform

/// A line at the foot of the terminal that says how far a job has come, on standard error and only where that is a terminal.
package struct ProgressBar {
  /// What is counted, for one and for many.
  package typealias Unit = (one: String, many: String)

  private let unit: Unit
  private let result: Unit?
  private let columns: Int?
  private var isShown = false

  /// - Parameter result: what comes of it; `nil` where nothing does that is counted.
  package init(of unit: Unit, bringing result: Unit? = nil) {
    self.unit = unit
    self.result = result
    columns = Terminal.errorColumns
  }

  package mutating func show(_ progress: ProgressEvent) {
    guard let columns else { return }
    Terminal.draw("\r\u{1b}[K" + VisibleText.of(Self.line(progress, of: unit, bringing: result, columns: columns)))
    isShown = true
  }

  /// Takes the line away, before something else is written.
  package mutating func clear() {
    guard isShown else { return }
    Terminal.draw("\r\u{1b}[K")
    isShown = false
  }

  /// Short of the last column, where some terminals begin a new line.
  static func line(
    _ progress: ProgressEvent, of unit: Unit, bringing result: Unit?, columns: Int
  ) -> String {
    let count = { (number: Int, unit: Unit) in "\(number) \(number == 1 ? unit.one : unit.many)" }
    let brought = result.map { ", " + count(progress.posts, $0) } ?? ""
    guard progress.of > 0 else {
      return String("\(progress.account): \(count(progress.done, unit))\(brought)".prefix(columns - 1))
    }
    let words = "\(progress.done) of at most \(count(progress.of, unit))\(brought)"
    let room = columns - 1 - progress.account.count - words.count - 5
    guard room >= 8 else { return String("\(progress.account): \(words)".prefix(columns - 1)) }
    let width = min(room, 30)
    let full = min(width, width * progress.done / progress.of)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    return "\(progress.account): \(bar) \(words)"
  }
}
