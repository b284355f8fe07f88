package import Control
package import Platform

/// What a command needs to show its events.
package struct DisplayContext: Sendable {
  package let environment: CommandEnvironment
  /// The client that sent the request.
  let client: ControlClient
}

/// Shows the events that answer a command's request.
package protocol EventDisplay {
  mutating func show(_ event: any ControlEvent)

  /// Called after the last event.
  /// - Returns: the exit code of what was shown, such as `.inputOutput` for output that could not be written.
  mutating func finish() -> ExitCode
}

extension EventDisplay {
  package mutating func finish() -> ExitCode { .done }
}

/// Prints events, with notices on standard error, and progress at the foot of the terminal.
package struct EventPrinter: EventDisplay {
  private var bar: ProgressBar?
  private let print: (any ControlEvent) -> Void

  /// - Parameter print: called with the events besides notices and progress.
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
