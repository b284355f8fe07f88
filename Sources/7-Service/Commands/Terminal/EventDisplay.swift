package import ControlProtocol
package import Platform

/// Shows the events that the state owner sends for a command.
package protocol EventDisplay {
  mutating func show(_ event: any ControlEvent)

  /// Called after the last event.
  /// - Returns: `.done`, or an exit code such as `.inputOutput` if output could not be written.
  mutating func finish() -> ExitCode
}

extension EventDisplay {
  package mutating func finish() -> ExitCode { .done }
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
