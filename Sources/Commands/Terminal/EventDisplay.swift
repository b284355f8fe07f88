package import Control
package import Platform

/// The environment and the client that an `EventDisplay` uses.
package struct DisplayContext: Sendable {
  package let environment: CommandEnvironment
  /// The client that sent the request.
  let client: ControlClient
  /// Whether standard output is reserved for the JSON result. The display then writes only to standard error.
  let isJSON: Bool
}

/// Shows the events that the process that owns the state sends for a command.
package protocol EventDisplay {
  mutating func show(_ event: any ControlEvent)

  /// Called after the last event.
  /// - Returns: `.done`, or an exit code such as `.inputOutput` if output could not be written.
  mutating func finish() -> ExitCode
}

extension EventDisplay {
  package mutating func finish() -> ExitCode { .done }
}

/// Prints events: results with a closure, notices on standard error, and progress in the last line of the terminal.
package struct EventPrinter: EventDisplay {
  private var line = ProgressLine()
  private let units: ProgressUnits?
  private let print: (any ControlEvent) -> Void

  /// - Parameters:
  ///   - units: the units that a `ProgressEvent` counts; nil if progress is not shown. Upload progress is always
  ///     shown.
  ///   - print: called with each event that is neither a notice nor progress.
  package init(_ units: ProgressUnits? = nil, _ print: @escaping (any ControlEvent) -> Void) {
    self.units = units
    self.print = print
  }

  package mutating func show(_ event: any ControlEvent) {
    switch event {
    case let progress as ProgressEvent: if let units { line.show(units.job(progress)) }
    case let upload as UploadEvent: line.show(ProgressLine.Job(upload))
    default:
      line.clear()
      if let notice = event as? NoticeEvent {
        Terminal.say("homeline: \(notice.message)")
      } else {
        print(event)
      }
    }
  }

  package mutating func finish() -> ExitCode {
    line.clear()
    return .done
  }
}

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

extension ProgressLine.Job {
  /// Creates the job for the upload of a post's files.
  init(_ event: UploadEvent) {
    self.init(
      "upload", .bytes, done: event.done, of: event.total,
      details: event.files > 1 ? ["\(event.file - 1) of \(event.files) files"] : [])
  }

  /// Creates the job for file transfers.
  package init(_ name: String, _ snapshot: TransferProgress.Snapshot) {
    self.init(
      name, .bytes, done: snapshot.done, of: snapshot.total, moved: snapshot.moved,
      details: snapshot.files > 1 ? ["\(snapshot.filesDone) of \(snapshot.files) files"] : [])
  }
}
