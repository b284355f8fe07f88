package import JSON

/// A message from the state owner about a running job: a JSON object on one line (`application/jsonl`).
///
/// Each event is declared in the same file as its request. Readers ignore unknown events and members.
package protocol ControlEvent: Sendable, Hashable {
  /// The value of the `event` member.
  static var name: String { get }
  /// Whether the event is a result of the job. Other events report its progress, or are for the user while it runs.
  static var isResult: Bool { get }

  init(_ members: EventMembers) throws(EventMembers.MissingMemberError)

  /// Writes the members other than `event`.
  func write(to json: inout JSONWriter)
}

extension ControlEvent {
  package static var isResult: Bool { true }

  /// The event as a line with a line feed.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("event", Self.name)
      write(to: &json)
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
