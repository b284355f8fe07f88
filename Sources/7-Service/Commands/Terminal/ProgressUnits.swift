internal import ControlProtocol

/// What a `ProgressEvent` counts.
package struct ProgressUnits: Sendable {
  /// The name of a thing, in singular and plural.
  package typealias Noun = (one: String, many: String)

  private let unit: Noun
  private let result: Noun?
  private let isTotalUpperBound: Bool

  /// - Parameters:
  ///   - result: the name of the job's results, such as new posts; nil if results are not counted.
  ///   - isTotalUpperBound: whether the event's total is only the greatest possible number.
  package init(_ unit: Noun, bringing result: Noun? = nil, isTotalUpperBound: Bool = false) {
    self.unit = unit
    self.result = result
    self.isTotalUpperBound = isTotalUpperBound
  }

  /// The pages of a refresh.
  static let pages = ProgressUnits(("page", "pages"), bringing: ("new post", "new posts"), isTotalUpperBound: true)

  func job(_ event: ProgressEvent) -> ProgressLine.Job {
    ProgressLine.Job(
      event.account, .things(one: unit.one, many: unit.many), done: event.done, of: event.of,
      isTotalUpperBound: isTotalUpperBound,
      details: result.map { ["\(event.posts) \(event.posts == 1 ? $0.one : $0.many)"] } ?? [])
  }
}
