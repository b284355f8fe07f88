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

    package init(
      account: String, activity: Activity, nextRefreshAt: Timestamp?, waitsFor: String?, notStored: String? = nil
    ) {
      self.account = account
      self.activity = activity
      self.nextRefreshAt = nextRefreshAt
      self.waitsFor = waitsFor
      self.notStored = notStored
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
    try json.members { json, name in
      switch name {
      case "account": account.account = try json.string()
      case "activity": account.activity = ControlStatus.Activity(word: try json.string())
      case "next_refresh_at": account.nextRefreshAt = try json.stringOrNull().flatMap { Timestamp(rfc3339: $0) }
      case "waits_for": account.waitsFor = try json.stringOrNull()
      case "not_stored": account.notStored = try json.stringOrNull()
      default: try json.skip()
      }
    }
    self = account
  }
}
