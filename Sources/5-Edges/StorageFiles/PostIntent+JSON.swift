internal import JSON
package import Posting
internal import Time

/// The file format of an intent.
extension PostIntent {
  /// The schemas for posts without and with files. They differ so that an earlier version, which does not support files, does not send a
  /// post without its files.
  private static let (schema, schemaWithFiles): (Int64, Int64) = (1, 2)

  package enum FormatError: Error {
    case newerSchema
    case corrupt(String)
  }

  /// The record, as it is stored.
  package var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", draft.media.isEmpty ? Self.schema : Self.schemaWithFiles)
      json.member("number", number)
      json.member("server", author.server)
      json.member("user_id", author.userID)
      json.member("created_at", createdAt.milliseconds)
      json.member("key", key.text)
      draft.write(to: &json)
      if !draft.media.isEmpty {
        json.member("media", list: Array(zip(draft.media, uploads))) { json, file in
          json.object { json in
            file.0.write(to: &json)
            file.1.write(to: &json)
          }
        }
      }
      write(state, to: &json)
      if let lastAttempt {
        lastAttempt.waiting.write(to: &json)
        lastAttempt.write(to: &json)
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private func write(_ state: State, to json: inout JSONWriter) {
    switch state {
    case .queued(let waiting), .uploading(let waiting):
      if case .queued = state { json.member("state", "queued") } else { json.member("state", "uploading") }
      waiting.write(to: &json)
    case .sending(let attempt):
      json.member("state", "sending")
      attempt.waiting.write(to: &json)
      attempt.write(to: &json)
    case .posted(let post, let at, let differences):
      json.member("state", "posted")
      json.member("ended_at", at.milliseconds)
      json.member("post", post.id)
      json.member("post_url", post.url)
      json.member("post_text", post.text)
      json.member("post_visibility", post.visibility?.rawValue)
      json.member("post_reply_to", post.replyTo)
      json.member("differences", list: differences) { $0.string($1) }
    case .refused(let reason, let at), .unknown(let reason, let at):
      if case .refused = state { json.member("state", "refused") } else { json.member("state", "unknown") }
      json.member("ended_at", at.milliseconds)
      json.member("reason", reason)
    }
  }

  /// Reads a stored record.
  package init(json bytes: [UInt8], id: IntentID) throws(FormatError) {
    let record: Record
    do { record = try Record(bytes) } catch { throw .corrupt("\(error)") }
    guard let schema = record.numbers["schema"]?.integer(in: 0...Int64.max) else { throw .corrupt("it has no schema") }
    if schema > Self.schemaWithFiles { throw .newerSchema }
    do {
      guard let key = IdempotencyKey(stored: try record.text("key")) else {
        throw Record.MissingMemberError(name: "key")
      }
      self.init(
        id: id, number: try record.number("number", in: Self.numbers),
        author: Author(server: try record.text("server"), userID: try record.text("user_id")),
        createdAt: try record.time("created_at"), draft: try PostDraft(record),
        key: key, state: try State(record),
        uploads: try record.media.map { try MediaUpload($0) },
        lastAttempt: record.isUnknown && record.numbers["first_at"] != nil ? try Attempt(record) : nil)
    } catch { throw .corrupt("\(error)") }
  }
}

/// The members of a stored intent.
private struct Record {
  private(set) var texts: [String: String] = [:]
  private(set) var numbers: [String: JSONNumber] = [:]
  private(set) var lists: [String: [String]] = [:]
  private(set) var flags: [String: Bool] = [:]
  private(set) var media: [Record] = []

  struct MissingMemberError: Error, CustomStringConvertible {
    let name: String
    var description: String { "its member \"\(name)\" is missing or invalid" }
  }

  init(_ bytes: [UInt8]) throws {
    var cursor = JSONCursor(bytes, maximalDepth: 4)
    try self.init(&cursor)
    try cursor.end()
  }

  private init(_ cursor: inout JSONCursor) throws {
    var record = Record()
    try cursor.members { json, name in
      switch try json.peek() {
      case .string: record.texts[name.text] = try json.string()
      case .number: record.numbers[name.text] = try json.number()
      case .boolean: record.flags[name.text] = try json.boolean()
      case .array where name == "media": record.media = try json.list { json in try Record(&json) }
      case .array: record.lists[name.text] = try json.list { json in try json.string() }
      default: try json.skip()
      }
    }
    self = record
  }

  private init() {}

  var isUnknown: Bool { texts["state"] == "unknown" }

  func text(_ name: String) throws -> String {
    guard let text = texts[name] else { throw MissingMemberError(name: name) }
    return text
  }

  /// Returns a number. A number outside the range means that the record is damaged.
  func number<Integer: FixedWidthInteger>(_ name: String, in range: ClosedRange<Integer>) throws -> Integer {
    guard let number = numbers[name]?.integer(in: range) else { throw MissingMemberError(name: name) }
    return number
  }

  func numberOrNull<Integer: FixedWidthInteger>(_ name: String, in range: ClosedRange<Integer>) throws -> Integer? {
    numbers[name] == nil ? nil : try number(name, in: range)
  }

  func time(_ name: String) throws -> Timestamp {
    Timestamp(milliseconds: try number(name, in: 0...Timestamp.latest.milliseconds))
  }

  func timeOrNull(_ name: String) throws -> Timestamp? { numbers[name] == nil ? nil : try time(name) }

  func visibility(_ name: String) throws -> PostVisibility? {
    guard let text = texts[name] else { return nil }
    guard let visibility = PostVisibility(rawValue: text) else { throw MissingMemberError(name: name) }
    return visibility
  }
}

extension PostDraft {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("text", text)
    json.member("visibility", visibility?.rawValue)
    json.member("warning", warning)
    json.member("language", language)
    switch replyTo {
    case .post(let id): json.member("reply_to", id)
    case .intent(let id): json.member("reply_to_intent", id.text)
    case nil: break
    }
    json.member("post_at", postAt?.milliseconds)
    if trustsServer { json.member("trusts_server", true) }
  }

  fileprivate init(_ record: Record) throws {
    var target: ReplyTarget?
    if let id = record.texts["reply_to"] { target = .post(id) }
    if let text = record.texts["reply_to_intent"] {
      guard let id = IntentID(text) else { throw Record.MissingMemberError(name: "reply_to_intent") }
      target = .intent(id)
    }
    self.init(
      text: try record.text("text"), visibility: try record.visibility("visibility"),
      warning: record.texts["warning"], language: record.texts["language"], replyTo: target,
      postAt: try record.timeOrNull("post_at"), media: try record.media.map { try PostMedia($0) },
      trustsServer: record.flags["trusts_server"] ?? false)
  }
}

extension PostMedia {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("path", path)
    json.member("fingerprint", fingerprint)
    json.member("size", size)
    json.member("type", type)
    json.member("description", description)
    json.member("keeps_metadata", keepsMetadata)
  }

  fileprivate init(_ record: Record) throws {
    self.init(
      path: try record.text("path"), fingerprint: try record.text("fingerprint"),
      size: try record.number("size", in: PostMedia.sizes), type: try record.text("type"),
      description: record.texts["description"],
      keepsMetadata: record.flags["keeps_metadata"] ?? false)
  }
}

extension MediaUpload {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("stage", stage.name)
    json.member("media_id", stage.id)
    if case .partial(_, let sent) = stage { json.member("sent", sent) }
    json.member("expires_at", expiresAt?.milliseconds)
  }

  fileprivate init(_ record: Record) throws {
    let name = try record.text("stage")
    guard
      let stage = MediaStage(
        name, id: record.texts["media_id"], sent: try record.numberOrNull("sent", in: PostMedia.sizes))
    else {
      throw Record.MissingMemberError(name: "stage")
    }
    self.init(stage, expiresAt: try record.timeOrNull("expires_at"))
  }
}

extension MediaStage {
  fileprivate var name: String {
    switch self {
    case .missing: "missing"
    case .partial: "partial"
    case .processing: "processing"
    case .undescribed: "undescribed"
    case .ready: "ready"
    }
  }

  fileprivate init?(_ name: String, id: String?, sent: Int?) {
    switch (name, id, sent) {
    case ("missing", _, _): self = .missing
    case ("partial", let id?, let sent?): self = .partial(id: id, sent: sent)
    case ("processing", let id?, _): self = .processing(id: id)
    case ("undescribed", let id?, _): self = .undescribed(id: id)
    case ("ready", let id?, _): self = .ready(id: id)
    default: return nil
    }
  }
}

extension PostIntent.Waiting {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("since", since.milliseconds)
    json.member("not_before", notBefore?.milliseconds)
    json.member("failures", failures)
    json.member("waiting_reason", reason)
    if needsLogin { json.member("needs_login", true) }
    if pauseEnd != .time { json.member("waiting_until", pauseEnd.rawValue) }
  }

  fileprivate init(_ record: Record) throws {
    self.init(
      since: try record.time("since"), notBefore: try record.timeOrNull("not_before"),
      failures: try record.number("failures", in: PostIntent.attempts), reason: record.texts["waiting_reason"],
      needsLogin: record.flags["needs_login"] ?? false, pauseEnd: PostIntent.PauseEnd(record, "waiting_until"))
  }
}

extension PostIntent.Attempt {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("first_at", firstAt.milliseconds)
    json.member("attempts", count)
    json.member("retry_at", retryAt.milliseconds)
    json.member("sending_reason", reason)
    if pauseEnd != .time { json.member("sending_until", pauseEnd.rawValue) }
    json.member("resolved_reply_to", replyTo)
    json.member("named", named)
    if isLookedFor { json.member("looked_for", true) }
    json.member("copy_refused", copyRefusal?.rawValue)
    if case .sameKey(let lifetime, _) = settlement { json.member("key_seconds", lifetime.components.seconds) }
    if let known = settlement.knownBefore { json.member("known_before", list: known.sorted()) { $0.string($1) } }
  }

  fileprivate init(_ record: Record) throws {
    let known = record.lists["known_before"].map { Set($0) }
    self.init(
      firstAt: try record.time("first_at"),
      settlement: try record.numberOrNull("key_seconds", in: PostSettlement.keySeconds)
        .map { .sameKey(for: .seconds($0), knownBefore: known) } ?? .lookUp(knownBefore: known),
      replyTo: record.texts["resolved_reply_to"], after: try PostIntent.Waiting(record),
      count: try record.number("attempts", in: PostIntent.attempts), retryAt: try record.time("retry_at"),
      reason: record.texts["sending_reason"], pauseEnd: PostIntent.PauseEnd(record, "sending_until"),
      named: record.texts["named"], isLookedFor: record.flags["looked_for"] ?? false,
      // A value from a later version does not allow a repetition.
      copyRefusal: record.texts["copy_refused"].map { PostIntent.Attempt.CopyRefusal(rawValue: $0) ?? .repeated })
  }
}

extension PostIntent.PauseEnd {
  /// A record from an earlier version, or with a value from a later one, waits until its time.
  fileprivate init(_ record: Record, _ name: String) {
    self = record.texts[name].flatMap { PostIntent.PauseEnd(rawValue: $0) } ?? .time
  }
}

extension PostIntent.State {
  fileprivate init(_ record: Record) throws {
    switch try record.text("state") {
    case "queued": self = .queued(try PostIntent.Waiting(record))
    case "uploading": self = .uploading(try PostIntent.Waiting(record))
    case "sending": self = .sending(try PostIntent.Attempt(record))
    case "posted":
      let post = SentPost(
        id: try record.text("post"), url: record.texts["post_url"], text: try record.text("post_text"),
        visibility: try record.visibility("post_visibility"), replyTo: record.texts["post_reply_to"])
      self = .posted(post, at: try record.time("ended_at"), differences: record.lists["differences"] ?? [])
    case "refused": self = .refused(try record.text("reason"), at: try record.time("ended_at"))
    case "unknown": self = .unknown(try record.text("reason"), at: try record.time("ended_at"))
    default: throw Record.MissingMemberError(name: "state")
    }
  }
}
