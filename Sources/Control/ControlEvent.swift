package import CivilTime
package import JSON
package import Platform

/// A message from the owner of the state about a running job: a JSON object on one line (`application/jsonl`).
///
/// Each event is declared in the same file as its request. Readers ignore unknown events and members.
package protocol ControlEvent: Sendable, Hashable {
  /// The value of the member `event`.
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

/// The members of a received event.
package struct EventMembers: Sendable {
  private var texts: [String: String] = [:]
  private var numbers: [String: Int] = [:]
  private var lists: [String: [String]] = [:]
  private var objects: [String: EventMembers] = [:]

  /// The error if a required member is missing or has the wrong type.
  package struct MissingMemberError: Error, CustomStringConvertible {
    let name: String
    package var description: String { "its member \"\(name)\" is missing" }
  }

  /// Decodes a line as an event of one of these types.
  /// - Parameter line: the line, with or without its line feed.
  /// - Returns: nil for an event of an unknown type.
  package static func event(
    _ line: [UInt8], among types: [any ControlEvent.Type]
  ) throws(ControlFormatError) -> (any ControlEvent)? {
    do {
      var cursor = JSONCursor(line, maximalDepth: 16)
      let members = try EventMembers(&cursor)
      try cursor.end()
      let name = try members.text("event")
      let type = types.first { $0.name == name } ?? [NoticeEvent.self, EndEvent.self].first { $0.name == name }
      return try type?.init(members)
    } catch { throw ControlFormatError("an event of the owner", "\(error)") }
  }

  private init(_ json: inout JSONCursor) throws {
    var members = EventMembers()
    try json.members { json, name in
      switch try json.peek() {
      case .string: members.texts[name.text] = try json.string()
      case .number: members.numbers[name.text] = try json.number().integer(in: 0...Int(JSONNumber.largest))
      case .object: members.objects[name.text] = try EventMembers(&json)
      case .array: members.lists[name.text] = try json.list { json in try json.stringOrSkip() }.compactMap(\.self)
      case .boolean, .null: try json.skip()
      }
    }
    self = members
  }

  private init() {}

  package func text(_ name: String) throws(MissingMemberError) -> String { try required(texts[name], name) }
  package func number(_ name: String) throws(MissingMemberError) -> Int { try required(numbers[name], name) }
  package func list(_ name: String) throws(MissingMemberError) -> [String] { try required(lists[name], name) }
  package func object(_ name: String) throws(MissingMemberError) -> EventMembers { try required(objects[name], name) }

  /// Returns the exit code; 70 for a code that this version does not know.
  package func exit() throws(MissingMemberError) -> ExitCode {
    Int32(exactly: try number("exit")).flatMap { ExitCode(rawValue: $0) } ?? .software
  }

  package func textOrNull(_ name: String) -> String? { texts[name] }
  package func numberOrNull(_ name: String) -> Int? { numbers[name] }
  package func timeOrNull(_ name: String) -> Timestamp? { texts[name].flatMap { Timestamp(rfc3339: $0) } }

  private func required<Value>(_ value: Value?, _ name: String) throws(MissingMemberError) -> Value {
    guard let value else { throw MissingMemberError(name: name) }
    return value
  }
}

/// A message for the user. Any job can send it.
package struct NoticeEvent: ControlEvent {
  package static let name = "notice"
  package static let isResult = false
  package var message: String

  package init(_ message: String) { self.message = message }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    message = try members.text("message")
  }

  package func write(to json: inout JSONWriter) { json.member("message", message) }
}

/// The last event of every job.
package struct EndEvent: ControlEvent {
  package static let name = "end"
  package static let isResult = false
  /// The exit code of the command.
  package var exit: ExitCode
  /// The reason the job failed, with the account's name if the failure concerns an account. It is nil if the job succeeded,
  /// or if earlier events contained the reason (`RefreshedEvent`).
  package var message: String?
  /// When the request can be tried again, if known.
  package var retryAt: Timestamp?

  package init(exit: ExitCode, message: String? = nil, retryAt: Timestamp? = nil) {
    self.exit = exit
    self.message = message
    self.retryAt = retryAt
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      exit: try members.exit(), message: members.textOrNull("message"), retryAt: members.timeOrNull("retry_at"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("exit", exit.rawValue)
    json.member("message", message)
    json.member("retry_at", retryAt?.rfc3339)
  }
}
