internal import HTTP
package import JSON
package import Time

/// Removes posts permanently.
package struct PurgeRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/purge")
  package static var response: ControlResponseForm { .events([ProgressEvent.self, PurgedEvent.self]) }

  package enum Selection: Sendable, Hashable {
    case post(String)
    /// A case-insensitive screen name without its @.
    case author(String)
    case before(Timestamp)
    /// All posts of the account, which must be given.
    case everything
  }

  /// The account; nil means all configured accounts.
  package var account: String?
  package var selection: Selection
  /// Whether to count the posts without removing them.
  package var isDryRun: Bool

  package init(account: String?, _ selection: Selection, isDryRun: Bool) {
    self.account = account
    self.selection = selection
    self.isDryRun = isDryRun
  }

  package init(_ received: ReceivedRequest) throws(ControlError) {
    var account: String?
    var found: [Selection] = []
    var isDryRun = false
    var isTime = true
    try received.members { json, name in
      switch name {
      case "account": account = try json.stringOrNull()
      case "post": found.append(.post(try json.string()))
      case "author": found.append(.author(try json.string()))
      case "before":
        let moment = Timestamp(rfc3339: try json.string())
        isTime = moment != nil
        found.append(.before(moment ?? Timestamp(seconds: 0)))
      case "everything": if try json.boolean() { found.append(.everything) }
      case "dry_run": isDryRun = try json.boolean()
      default: return false
      }
      return true
    }
    guard isTime else { throw ControlError(.badRequest, "before must be an RFC 3339 time") }
    guard found.count == 1 else {
      throw ControlError(.badRequest, "the content must contain exactly one of post, author, before and everything")
    }
    guard account != nil || found[0] != .everything else {
      throw ControlError(.badRequest, "everything needs the name of an account")
    }
    self.init(account: account, found[0], isDryRun: isDryRun)
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    switch selection {
    case .post(let id): json.member("post", id)
    case .author(let name): json.member("author", name)
    case .before(let moment): json.member("before", moment.rfc3339)
    case .everything: json.member("everything", true)
    }
    json.member("dry_run", isDryRun)
  }
}
