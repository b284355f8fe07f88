package import Control
package import Platform

/// The environment and the client that an `EventDisplay` uses.
package struct DisplayContext: Sendable {
  package let environment: CommandEnvironment
  /// The client that sent the request.
  let client: ControlClient
  /// Whether standard output is for the result as JSON, so that the display writes to standard error only.
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
  private var bar: ProgressBar?
  private var uploads: TransferLine?
  private let print: (any ControlEvent) -> Void

  /// - Parameter print: called with each event that is neither a notice nor progress.
  package init(
    _ bar: ProgressBar? = nil, uploads: TransferLine? = nil, _ print: @escaping (any ControlEvent) -> Void
  ) {
    self.bar = bar
    self.uploads = uploads
    self.print = print
  }

  package mutating func show(_ event: any ControlEvent) {
    if let progress = event as? ProgressEvent {
      bar?.show(progress)
      return
    }
    if let upload = event as? UploadEvent {
      var snapshot = TransferProgress.Snapshot()
      snapshot.done = upload.done
      snapshot.moved = upload.done
      snapshot.total = upload.total
      snapshot.files = upload.files
      snapshot.filesDone = upload.file - 1
      uploads?.show(snapshot, at: .now)
      return
    }
    bar?.clear()
    uploads?.clear()
    if let notice = event as? NoticeEvent {
      Terminal.say("homeline: \(notice.message)")
    } else {
      print(event)
    }
  }

  package mutating func finish() -> ExitCode {
    bar?.clear()
    uploads?.clear()
    return .done
  }
}
