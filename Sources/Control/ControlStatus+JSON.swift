internal import CivilTime
internal import JSON

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
