internal import JSON
package import Time

/// The status of the state owner: its process, and its work on each account.
package struct ControlStatus: Sendable, Hashable {
  package var owner: Owner
  package var accounts: [Account]

  package init(owner: Owner, accounts: [Account]) {
    self.owner = owner
    self.accounts = accounts
  }

  package struct Owner: Sendable, Hashable {
    package var processID: Int32
    /// The command that the process runs, such as `daemon`.
    package var command: String
    package var version: String
    package var startedAt: Timestamp
    /// The path of the configuration that the process uses.
    package var configuration: String
    /// The reason the last reload failed, so that the previous configuration stays in use; nil if the reload succeeded.
    package var configurationProblem: String?

    package init(
      processID: Int32, command: String, version: String, startedAt: Timestamp, configuration: String,
      configurationProblem: String?
    ) {
      self.processID = processID
      self.command = command
      self.version = version
      self.startedAt = startedAt
      self.configuration = configuration
      self.configurationProblem = configurationProblem
    }
  }

  package struct Account: Sendable, Hashable {
    package var account: String
    package var activity: Activity
    /// The time of the next scheduled refresh; nil if none is scheduled.
    package var nextRefreshAt: Timestamp?
    /// The reason no refresh is scheduled, as text for users; nil if a refresh is scheduled.
    package var waitsFor: String?
    /// The reason the account's new data could not be stored or published, as text for users; nil if there is no problem.
    package var notStored: String?
    /// The freshness of the home timeline; nil until the state owner has read it.
    package var freshness: Freshness?
    /// The account's timelines, its home timeline first; empty for an account that fetches only that.
    package var timelines: [Timeline] = []
    /// The upload in progress; nil if there is none.
    package var upload: Upload?

    package init(
      account: String, activity: Activity, nextRefreshAt: Timestamp?, waitsFor: String?, notStored: String? = nil,
      freshness: Freshness? = nil, upload: Upload? = nil
    ) {
      self.account = account
      self.activity = activity
      self.nextRefreshAt = nextRefreshAt
      self.waitsFor = waitsFor
      self.notStored = notStored
      self.freshness = freshness
      self.upload = upload
    }
  }

  /// One of an account's timelines.
  package struct Timeline: Sendable, Hashable {
    /// The timeline's name, such as `list:Friends`.
    package var name: String
    /// The number of published posts that have not been marked as read; nil until the state owner has read them.
    package var unread: Int?
    /// The time of the next scheduled refresh; nil if none is scheduled.
    package var nextRefreshAt: Timestamp?
    /// The timeline's freshness, without a limit, which the account has; nil until the state owner has read it.
    package var freshness: Freshness?

    package init(name: String, unread: Int? = nil, nextRefreshAt: Timestamp? = nil, freshness: Freshness? = nil) {
      self.name = name
      self.unread = unread
      self.nextRefreshAt = nextRefreshAt
      self.freshness = freshness
    }
  }

  /// The upload progress of a post's files.
  package struct Upload: Sendable, Hashable {
    /// The id of the post in the outbox.
    package var post: String
    /// The number of bytes of all the post's files that the server has received.
    package var done: Int
    /// The total size of the post's files, in bytes.
    package var total: Int

    package init(post: String, done: Int, total: Int) {
      self.post = post
      self.done = done
      self.total = total
    }
  }

  /// The freshness of a timeline after the last refresh. In published files, it can be up to an hour old if nothing else changes.
  package struct Freshness: Sendable, Hashable {
    /// The time of the last successful refresh.
    package var refreshedAt: Timestamp?
    /// When the next refresh will be complete if there is no problem; nil while refreshes fail, or if none is scheduled.
    var freshUntil: Timestamp?
    /// The time since which refreshes have failed; nil while they succeed.
    var staleSince: Timestamp?
    /// The reason refreshes fail; nil while they succeed.
    var error: Problem?
    package var limit: Limit?

    package init(
      refreshedAt: Timestamp? = nil, freshUntil: Timestamp? = nil, staleSince: Timestamp? = nil, error: Problem? = nil,
      limit: Limit? = nil
    ) {
      self.refreshedAt = refreshedAt
      self.freshUntil = freshUntil
      self.staleSince = staleSince
      self.error = error
      self.limit = limit
    }
  }

  /// The reason refreshes fail, as in published files.
  package struct Problem: Sendable, Hashable {
    var code: String
    var message: String
    var retryAt: Timestamp?

    package init(code: String, message: String, retryAt: Timestamp?) {
      self.code = code
      self.message = message
      self.retryAt = retryAt
    }
  }

  /// The provider's rate limit.
  package struct Limit: Sendable, Hashable {
    /// The number of requests that a window allows; nil if the provider does not report it.
    package var limit: Int?
    /// The number of requests left in the window.
    package var remaining: Int
    /// The end of the window.
    package var resetAt: Timestamp

    package init(limit: Int?, remaining: Int, resetAt: Timestamp) {
      self.limit = limit
      self.remaining = remaining
      self.resetAt = resetAt
    }
  }

  /// The work in progress on an account. Later versions may add values.
  package struct Activity: Sendable, Hashable {
    package let name: String

    package static let idle = Activity(name: "idle")
    package static let refreshing = Activity(name: "refreshing")
    package static let loggingIn = Activity(name: "logging-in")
    package static let loggingOut = Activity(name: "logging-out")
    package static let uploading = Activity(name: "uploading")
  }
}

extension ControlStatus {
  private static let schema = 1

  /// The JSON document, ending with a line feed.
  package var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", Self.schema)
      json.name("owner")
      json.object { json in
        json.member("pid", owner.processID)
        json.member("command", owner.command)
        json.member("version", owner.version)
        json.member("started_at", owner.startedAt.rfc3339)
        json.member("configuration", owner.configuration)
        json.member("configuration_problem", owner.configurationProblem)
      }
      json.member("accounts", list: accounts) { json, account in
        json.object { json in
          json.member("account", account.account)
          json.member("activity", account.activity.name)
          json.member("next_refresh_at", account.nextRefreshAt?.rfc3339)
          json.member("waits_for", account.waitsFor)
          json.member("not_stored", account.notStored)
          json.member("upload", account.upload) { json, upload in
            json.object { json in
              json.member("post", upload.post)
              json.member("done", upload.done)
              json.member("total", upload.total)
            }
          }
          account.freshness?.write(to: &json)
          account.freshness?.writeLimit(to: &json)
          // An account that fetches only its home timeline has all of this in its own members.
          if !account.timelines.isEmpty { json.member("timelines", list: account.timelines) { $1.write(to: &$0) } }
        }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  package init(json bytes: [UInt8]) throws(ControlFormatError) {
    do {
      var schema: Int?
      var owner: Owner?
      var accounts: [Account] = []
      var cursor = JSONCursor(bytes, maximalDepth: 16)
      try cursor.members { json, name in
        switch name {
        case "schema": schema = try json.integer(in: 0...Int.max)
        case "owner": owner = try Owner(&json)
        case "accounts": accounts = try json.list { json in try Account(&json) }
        default: try json.skip()
        }
      }
      try cursor.end()
      guard schema == Self.schema else { throw FormatError(description: "its schema is not \(Self.schema)") }
      guard let owner else { throw FormatError(description: "its owner is missing") }
      self.init(owner: owner, accounts: accounts)
    } catch { throw ControlFormatError("the status of the owner", "\(error)") }
  }

  fileprivate struct FormatError: Error, CustomStringConvertible { let description: String }
}

extension ControlStatus.Owner {
  fileprivate init(_ json: inout JSONCursor) throws {
    var owner = ControlStatus.Owner(
      processID: 0, command: "", version: "", startedAt: Timestamp(milliseconds: 0), configuration: "",
      configurationProblem: nil)
    try json.members { json, name in
      switch name {
      case "pid": owner.processID = try json.integer(in: 0...Int32.max)
      case "command": owner.command = try json.string()
      case "version": owner.version = try json.string()
      case "started_at":
        guard let time = try Timestamp(rfc3339: json.string()) else {
          throw ControlStatus.FormatError(description: "started_at is not a time")
        }
        owner.startedAt = time
      case "configuration": owner.configuration = try json.string()
      case "configuration_problem": owner.configurationProblem = try json.stringOrNull()
      default: try json.skip()
      }
    }
    self = owner
  }
}

extension ControlStatus.Account {
  fileprivate init(_ json: inout JSONCursor) throws {
    var account = ControlStatus.Account(account: "", activity: .idle, nextRefreshAt: nil, waitsFor: nil)
    var freshness = ControlStatus.Freshness()
    var isFreshnessKnown = false
    try json.members { json, name in
      switch name {
      case "account": account.account = try json.string()
      case "activity": account.activity = ControlStatus.Activity(name: try json.string())
      case "next_refresh_at": account.nextRefreshAt = try json.stringOrNull().flatMap { Timestamp(rfc3339: $0) }
      case "waits_for": account.waitsFor = try json.stringOrNull()
      case "not_stored": account.notStored = try json.stringOrNull()
      case "upload": account.upload = try json.null() ? nil : ControlStatus.Upload(&json)
      case "timelines": account.timelines = try json.list { json in try ControlStatus.Timeline(&json) }
      default: if try freshness.readMember(name, &json) { isFreshnessKnown = true } else { try json.skip() }
      }
    }
    if isFreshnessKnown { account.freshness = freshness }
    self = account
  }
}

extension ControlStatus.Timeline {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("timeline", name)
      json.member("unread", unread)
      json.member("next_refresh_at", nextRefreshAt?.rfc3339)
      freshness?.write(to: &json)
    }
  }

  fileprivate init(_ json: inout JSONCursor) throws {
    var timeline = ControlStatus.Timeline(name: "")
    var freshness = ControlStatus.Freshness()
    var isFreshnessKnown = false
    try json.members { json, name in
      switch name {
      case "timeline": timeline.name = try json.string()
      case "unread": timeline.unread = try json.null() ? nil : json.integer(in: 0...Int(JSONNumber.largest))
      case "next_refresh_at": timeline.nextRefreshAt = try json.stringOrNull().flatMap { Timestamp(rfc3339: $0) }
      default: if try freshness.readMember(name, &json) { isFreshnessKnown = true } else { try json.skip() }
      }
    }
    if isFreshnessKnown { timeline.freshness = freshness }
    self = timeline
  }
}

extension ControlStatus.Upload {
  fileprivate init(_ json: inout JSONCursor) throws {
    self.init(post: "", done: 0, total: 0)
    try json.members { json, name in
      switch name {
      case "post": post = try json.string()
      case "done": done = try json.integer(in: 0...Int(JSONNumber.largest))
      case "total": total = try json.integer(in: 0...Int(JSONNumber.largest))
      default: try json.skip()
      }
    }
  }
}

extension ControlStatus.Freshness {
  /// Writes the freshness as members of the account's or the timeline's object.
  fileprivate func write(to json: inout JSONWriter) {
    json.member("refreshed_at", refreshedAt?.rfc3339)
    json.member("fresh_until", freshUntil?.rfc3339)
    json.member("stale_since", staleSince?.rfc3339)
    json.member("error", error) { json, error in
      json.object { json in
        json.member("code", error.code)
        json.member("message", error.message)
        json.member("retry_at", error.retryAt?.rfc3339)
      }
    }
  }

  fileprivate func writeLimit(to json: inout JSONWriter) {
    json.member("limit", limit) { json, limit in
      json.object { json in
        json.member("limit", limit.limit)
        json.member("remaining", limit.remaining)
        json.member("reset_at", limit.resetAt.rfc3339)
      }
    }
  }

  /// Reads a member from the account's object.
  /// - Returns: false if the member is not part of the freshness.
  fileprivate mutating func readMember(_ name: JSONName, _ json: inout JSONCursor) throws -> Bool {
    switch name {
    case "refreshed_at": refreshedAt = try Self.time(&json)
    case "fresh_until": freshUntil = try Self.time(&json)
    case "stale_since": staleSince = try Self.time(&json)
    case "error": error = try json.null() ? nil : Self.problem(&json)
    case "limit": limit = try json.null() ? nil : Self.limit(&json)
    default: return false
    }
    return true
  }

  private static func time(_ json: inout JSONCursor) throws -> Timestamp? {
    try json.stringOrNull().flatMap { Timestamp(rfc3339: $0) }
  }

  private static func problem(_ json: inout JSONCursor) throws -> ControlStatus.Problem {
    var problem = ControlStatus.Problem(code: "", message: "", retryAt: nil)
    try json.members { json, name in
      switch name {
      case "code": problem.code = try json.string()
      case "message": problem.message = try json.string()
      case "retry_at": problem.retryAt = try time(&json)
      default: try json.skip()
      }
    }
    return problem
  }

  private static func limit(_ json: inout JSONCursor) throws -> ControlStatus.Limit? {
    var limit = ControlStatus.Limit(limit: nil, remaining: 0, resetAt: Timestamp(milliseconds: 0))
    var reset: Timestamp?
    try json.members { json, name in
      switch name {
      case "limit": limit.limit = try json.null() ? nil : json.number().integer(in: 0...Int(JSONNumber.largest))
      case "remaining": limit.remaining = try json.integer(in: 0...Int(JSONNumber.largest))
      case "reset_at": reset = try time(&json)
      default: try json.skip()
      }
    }
    guard let reset else { return nil }
    limit.resetAt = reset
    return limit
  }
}
