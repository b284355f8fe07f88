package import ControlProtocol
internal import JSON
package import Platform
internal import TerminalText
internal import Time

/// The outcome of a command that the state owner runs, as the command prints it with `--json`: the events with results, the notices,
/// and the end.
package struct CommandResult: Sendable {
  private var results: [[UInt8]] = []
  private var notices: [String] = []

  package init(_ results: [any ControlEvent] = []) { for result in results { add(result) } }

  /// Adds an event. Progress events are left out.
  mutating func add(_ event: any ControlEvent) {
    if let notice = event as? NoticeEvent {
      notices.append(notice.message)
    } else if type(of: event).isResult {
      results.append(Array(event.line.dropLast()))
    }
  }

  /// Writes the result to standard output.
  /// - Returns: `.done`, or `.inputOutput` if it could not be written.
  package func print(_ end: EndEvent = EndEvent(exit: .done)) -> ExitCode {
    let document = JSONDocument.output { json in
      json.member("exit", end.exit.rawValue)
      json.member("message", end.message)
      json.member("retry_at", end.retryAt?.rfc3339)
      json.member("notices", list: notices) { $0.string($1) }
      json.member("results", list: results) { $0.raw($1) }
    }
    do throws(SystemError) {
      try Terminal.answer(document)
      return .done
    } catch {
      Terminal.say("homeline: could not print the result: \(error)")
      return .inputOutput
    }
  }
}
