package import CivilTime
internal import JSON

/// What only the owner of the state knows: itself, and what it is doing with each account.
package struct ControlStatus: Sendable, Hashable {
  package var owner: Owner
  package var accounts: [Account]

  package init(owner: Owner, accounts: [Account]) {
    self.owner = owner
    self.accounts = accounts
  }

  package struct Owner: Sendable, Hashable {
    package var processID: Int32
    /// What it was started for, such as `daemon`.
    package var command: String
    package var version: String
    package var startedAt: Timestamp
    /// The path of the configuration that it works with.
    package var configuration: String
    /// What was wrong with it at the last attempt to read it again, so that the one before still holds; nil when nothing was.
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
    /// When the owner will refresh it by itself; nil when it does not plan to.
    package var nextRefreshAt: Timestamp?
    /// Why nothing is planned, for people; nil when something is.
    package var waitsFor: String?
    /// Why what the owner knows of it could not be stored or published, for people; nil when nothing is amiss.
    package var notStored: String?
    /// How fresh its timeline is; nil where the owner has not looked at it yet.
    package var freshness: Freshness?

    package init(
      account: String, activity: Activity, nextRefreshAt: Timestamp?, waitsFor: String?, notStored: String? = nil,
      freshness: Freshness? = nil
    ) {
      self.account = account
      self.activity = activity
      self.nextRefreshAt = nextRefreshAt
      self.waitsFor = waitsFor
      self.notStored = notStored
      self.freshness = freshness
    }
  }

  /// How fresh a timeline is, to the last refresh: published files say it up to an hour later where a refresh brings nothing new.
  package struct Freshness: Sendable, Hashable {
    /// When the provider last answered with the timeline.
    package var refreshedAt: Timestamp?
    /// By when the next refresh has ended, unless something is wrong; nil while refreshes fail, or when none is planned.
    package var freshUntil: Timestamp?
    /// Since when refreshes fail; nil while they succeed.
    package var staleSince: Timestamp?
    /// Why.
    package var error: Problem?
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

  /// Why refreshes fail, as published files say it.
  package struct Problem: Sendable, Hashable {
    package var code: String
    package var message: String
    package var retryAt: Timestamp?

    package init(code: String, message: String, retryAt: Timestamp?) {
      self.code = code
      self.message = message
      self.retryAt = retryAt
    }
  }

  /// What the provider has said of its limit.
  package struct Limit: Sendable, Hashable {
    /// Requests allowed in a window; nil where the provider does not say.
    package var limit: Int?
    /// Requests left in the window.
    package var remaining: Int
    /// When the window ends.
    package var resetAt: Timestamp

    package init(limit: Int?, remaining: Int, resetAt: Timestamp) {
      self.limit = limit
      self.remaining = remaining
      self.resetAt = resetAt
    }
  }

  /// What is being done with an account. Later versions may have more words.
  package struct Activity: Sendable, Hashable {
    package let word: String

    package static let idle = Activity(word: "idle")
    package static let refreshing = Activity(word: "refreshing")
    package static let loggingIn = Activity(word: "logging-in")
    package static let loggingOut = Activity(word: "logging-out")
  }
}

extension ControlStatus {
  private static let schema = 1

  /// The document, with a line feed at its end.
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
          json.member("activity", account.activity.word)
          json.member("next_refresh_at", account.nextRefreshAt?.rfc3339)
          json.member("waits_for", account.waitsFor)
          json.member("not_stored", account.notStored)
          account.freshness?.write(to: &json)
        }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  package init(json bytes: [UInt8]) throws(ControlFormatError) {
    do {
      var schema: Int64?
      var owner: Owner?
      var accounts: [Account] = []
      var cursor = JSONCursor(bytes, maximalDepth: 16)
      try cursor.members { json, name in
        switch name {
        case "schema": schema = try json.integer()
        case "owner": owner = try Owner(&json)
        case "accounts": accounts = try json.list { json in try Account(&json) }
        default: try json.skip()
        }
      }
      try cursor.end()
      guard schema == Int64(Self.schema) else { throw Reason(description: "its schema is another one") }
      guard let owner else { throw Reason(description: "its owner is missing") }
      self.init(owner: owner, accounts: accounts)
    } catch { throw ControlFormatError("the status of the owner", "\(error)") }
  }

  fileprivate struct Reason: Error, CustomStringConvertible { let description: String }
}

extension ControlStatus.Owner {
  fileprivate init(_ json: inout JSONCursor) throws {
    var owner = ControlStatus.Owner(
      processID: 0, command: "", version: "", startedAt: Timestamp(milliseconds: 0), configuration: "",
      configurationProblem: nil)
    try json.members { json, name in
      switch name {
      case "pid": owner.processID = Int32(clamping: try json.integer())
      case "command": owner.command = try json.string()
      case "version": owner.version = try json.string()
      case "started_at":
        guard let time = try Timestamp(rfc3339: json.string()) else {
          throw ControlStatus.Reason(description: "started_at is no time")
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
      case "activity": account.activity = ControlStatus.Activity(word: try json.string())
      case "next_refresh_at": account.nextRefreshAt = try json.stringOrNull().flatMap { Timestamp(rfc3339: $0) }
      case "waits_for": account.waitsFor = try json.stringOrNull()
      case "not_stored": account.notStored = try json.stringOrNull()
      default: if try freshness.take(name, &json) { isFreshnessKnown = true } else { try json.skip() }
      }
    }
    if isFreshnessKnown { account.freshness = freshness }
    self = account
  }
}

extension ControlStatus.Freshness {
  /// Writes its members into the account's object.
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
    json.member("limit", limit) { json, limit in
      json.object { json in
        json.member("limit", limit.limit)
        json.member("remaining", limit.remaining)
        json.member("reset_at", limit.resetAt.rfc3339)
      }
    }
  }

  /// Takes a member of the account's object.
  /// - Returns: false where it is not one of these.
  fileprivate mutating func take(_ name: JSONName, _ json: inout JSONCursor) throws -> Bool {
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
      case "limit": limit.limit = try json.null() ? nil : Int(clamping: try json.integer())
      case "remaining": limit.remaining = Int(clamping: try json.integer())
      case "reset_at": reset = try time(&json)
      default: try json.skip()
      }
    }
    guard let reset else { return nil }
    limit.resetAt = reset
    return limit
  }
}
