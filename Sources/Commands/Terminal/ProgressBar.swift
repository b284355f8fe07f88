package import Control
internal import Platform

/// A progress bar in the last line of the terminal, on standard error. Nothing is shown if standard error is not a terminal.
package struct ProgressBar {
  /// The name of what is counted, in singular and plural.
  package typealias Unit = (one: String, many: String)

  private let unit: Unit
  private let result: Unit?
  private let columns: Int?
  private var isShown = false

  /// - Parameter result: the name of the job's results, such as new posts; nil if results are not counted.
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

  /// Clears the line, before other output.
  package mutating func clear() {
    guard isShown else { return }
    Terminal.draw("\r\u{1b}[K")
    isShown = false
  }

  /// Returns the text of the line. The text leaves the last column free, because some terminals begin a new line after it.
  static func line(
    _ progress: ProgressEvent, of unit: Unit, bringing result: Unit?, columns: Int
  ) -> String {
    let count = { (number: Int, unit: Unit) in "\(number) \(number == 1 ? unit.one : unit.many)" }
    let results = result.map { ", " + count(progress.posts, $0) } ?? ""
    guard progress.of > 0 else {
      return String("\(progress.account): \(count(progress.done, unit))\(results)".prefix(columns - 1))
    }
    let summary = "\(progress.done) of at most \(count(progress.of, unit))\(results)"
    let space = columns - 1 - progress.account.count - summary.count - 5
    guard space >= 8 else { return String("\(progress.account): \(summary)".prefix(columns - 1)) }
    let width = min(space, 30)
    let full = min(width, width * progress.done / progress.of)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    return "\(progress.account): \(bar) \(summary)"
  }
}
