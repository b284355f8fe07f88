package import Control
package import Platform

/// The environment and the client that an `EventDisplay` uses.
package struct DisplayContext: Sendable {
  package let environment: CommandEnvironment
  /// The client that sent the request.
  let client: ControlClient
}

/// Shows the events that the owner sends for a command.
package protocol EventDisplay {
  mutating func show(_ event: any ControlEvent)

  /// Called after the last event.
  /// - Returns: `.done`, or an exit code such as `.inputOutput` if output could not be written.
  mutating func finish() -> ExitCode
}

extension EventDisplay {
  package mutating func finish() -> ExitCode { .done }
}

/// Prints events: results by a closure, notices on standard error, and progress in the last line of the terminal.
package struct EventPrinter: EventDisplay {
  private var bar: ProgressBar?
  private let print: (any ControlEvent) -> Void

  /// - Parameter print: Called with each event that is neither a notice nor progress.
  package init(_ bar: ProgressBar? = nil, _ print: @escaping (any ControlEvent) -> Void) {
    self.bar = bar
    self.print = print
  }

  package mutating func show(_ event: any ControlEvent) {
    if let progress = event as? ProgressEvent {
      bar?.show(progress)
      return
    }
    bar?.clear()
    if let notice = event as? NoticeEvent {
      Terminal.say("homeline: \(notice.message)")
    } else {
      print(event)
    }
  }

  package mutating func finish() -> ExitCode {
    bar?.clear()
    return .done
  }
}
