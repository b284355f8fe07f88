package import ControlProtocol
package import Platform

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
      switch event {
      case let notice as NoticeEvent: Terminal.say("homeline: \(notice.message)")
      case let wait as PostWaitEvent: OutboxTerminal.showWait(wait)
      default: print(event)
      }
    }
  }

  package mutating func finish() -> ExitCode {
    line.clear()
    return .done
  }
}
