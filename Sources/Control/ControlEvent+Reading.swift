internal import CivilTime
internal import HomelineOAuth
internal import JSON
internal import Platform

extension ControlEvent {
  /// Reads a line, with or without its line feed.
  /// - Returns: nil for an event that is not known here.
  package init?(line: [UInt8]) throws(ControlFormatError) {
    let event: ControlEvent?
    do {
      var members = EventMembers()
      try members.read(line)
      event = try ControlEvent(members)
    } catch { throw ControlFormatError("an event of the owner", "\(error)") }
    guard let event else { return nil }
    self = event
  }

  private init?(_ members: EventMembers) throws {
    guard let name = members.texts["event"] else { throw EventMembers.Missing(name: "event") }
    switch name {
    case "begun":
      self = .begun(Begun(login: try members.text("login"), account: try members.text("account")))
    case "address":
      self = .address(Address(url: try members.text("url"), callbackPort: members.numbers["callback_port"]))
    case "code":
      self = .code(
        Code(
          code: try members.text("code"), url: try members.text("url"), completeURL: members.texts["complete_url"]))
    case "notice": self = .notice(try members.text("message"))
    case "authorised":
      guard let user = members.user else { throw EventMembers.Missing(name: "user") }
      self = .authorised(user)
    case "set_aside": self = .setAside(paths: try members.list("paths"))
    case "stored": self = .stored(path: try members.text("path"))
    case "refreshed":
      self = .refreshed(
        Refreshed(
          account: try members.text("account"), new: members.numbers["new"], message: members.texts["message"],
          exit: try members.exit(), warnings: try members.list("warnings"), timeline: members.texts["timeline"]))
    case "logged_out":
      let outcome = LoggedOut.Outcome(rawValue: try members.text("outcome"))
      guard let outcome else { throw EventMembers.Missing(name: "outcome") }
      self = .loggedOut(
        LoggedOut(account: try members.text("account"), outcome: outcome, message: try members.text("message")))
    case "token":
      self = .token(
        Token(
          account: try members.text("account"), accessToken: Secret(try members.text("access_token")),
          expiresAt: members.texts["expires_at"].flatMap { Timestamp(rfc3339: $0) }))
    case "progress":
      self = .progress(
        Progress(
          account: try members.text("account"), done: try members.number("done"), of: try members.number("of"),
          posts: try members.number("posts")))
    case "marked":
      self = .marked(
        Marked(
          account: try members.text("account"), upTo: members.texts["up_to"], unread: try members.number("unread")))
    case "imported":
      self = .imported(
        Imported(
          account: try members.text("account"), new: try members.number("new"), known: try members.number("known")))
    case "purged":
      // An owner of 0.1.0 counts both in one.
      self = .purged(
        Purged(
          account: try members.text("account"), posts: try members.number("posts"),
          quotes: members.numbers["quotes"] ?? 0))
    case "end":
      self = .end(
        End(
          exit: try members.exit(), message: members.texts["message"],
          retryAt: members.texts["retry_at"].flatMap { Timestamp(rfc3339: $0) }))
    default: return nil
    }
  }
}

/// The members of one event, gathered before it is known which one it is: `event` may stand anywhere.
private struct EventMembers {
  private(set) var texts: [String: String] = [:]
  private(set) var numbers: [String: Int] = [:]
  private var lists: [String: [String]] = [:]
  private(set) var user: ControlEvent.User?

  struct Missing: Error, CustomStringConvertible {
    let name: String
    var description: String { "its member \"\(name)\" is missing" }
  }

  mutating func read(_ line: [UInt8]) throws {
    var cursor = JSONCursor(line, maximalDepth: 16)
    var members = self
    try cursor.members { json, name in
      switch name {
      case "event", "login", "account", "url", "message", "path", "timeline", "outcome", "retry_at",
        "access_token", "expires_at", "code", "complete_url", "up_to":
        members.texts[name.text] = try json.stringOrNull()
      case "callback_port", "new", "exit", "done", "of", "posts", "quotes", "unread", "known":
        members.numbers[name.text] = try json.null() ? nil : Int(try json.integer())
      case "paths", "warnings": members.lists[name.text] = try json.list { json in try json.string() }
      case "user": members.user = try EventMembers.user(&json)
      default: try json.skip()
      }
    }
    try cursor.end()
    self = members
  }

  func text(_ name: String) throws -> String {
    guard let text = texts[name] else { throw Missing(name: name) }
    return text
  }

  func number(_ name: String) throws -> Int {
    guard let number = numbers[name] else { throw Missing(name: name) }
    return number
  }

  func list(_ name: String) throws -> [String] {
    guard let list = lists[name] else { throw Missing(name: name) }
    return list
  }

  /// A code that this version does not know is a failure of which nothing is known.
  func exit() throws -> ExitCode {
    guard let number = numbers["exit"] else { throw Missing(name: "exit") }
    return Int32(exactly: number).flatMap { ExitCode(rawValue: $0) } ?? .software
  }

  private static func user(_ json: inout JSONCursor) throws -> ControlEvent.User {
    var user = ControlEvent.User(id: "", screenName: "", name: "")
    try json.members { json, name in
      switch name {
      case "id": user.id = try json.string()
      case "screen_name": user.screenName = try json.string()
      case "name": user.name = try json.string()
      default: try json.skip()
      }
    }
    return user
  }
}
