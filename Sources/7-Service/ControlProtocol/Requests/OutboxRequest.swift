internal import HTTP
package import JSON

/// Lists the posts in the outbox, retries one, or removes one.
package struct OutboxRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/outbox")
  package static var response: ControlResponseForm {
    .events([OutboxEvent.self, UploadEvent.self, PostWaitEvent.self])
  }

  /// The notice that lists an empty outbox.
  package static let emptiness = "there are no posts in the outbox"

  package enum Action: Sendable, Hashable {
    case list
    /// - Parameter id: the id of a post in the outbox.
    case retry(String)
    case discard(String)
  }

  /// The account; nil means all configured accounts.
  package var account: String?
  package var action: Action
  /// Whether the user has agreed to the post's cost, as `retry` requires above `confirm_above_usd`.
  package var isConfirmed: Bool

  package init(account: String?, _ action: Action, isConfirmed: Bool = false) {
    self.account = account
    self.action = action
    self.isConfirmed = isConfirmed
  }

  package init(_ received: ReceivedRequest) throws(ControlError) {
    var account: String?
    var actions: [Action] = []
    var isConfirmed = false
    try received.members { json, name in
      switch name {
      case "account": account = try json.stringOrNull()
      case "retry": actions.append(.retry(try json.string()))
      case "discard": actions.append(.discard(try json.string()))
      case "confirmed": isConfirmed = try json.boolean()
      default: return false
      }
      return true
    }
    guard actions.count <= 1 else {
      throw ControlError(.badRequest, "the content can contain retry or discard, but not both")
    }
    self.init(account: account, actions.first ?? .list, isConfirmed: isConfirmed)
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    switch action {
    case .list: break
    case .retry(let id):
      json.member("retry", id)
      json.member("confirmed", isConfirmed)
    case .discard(let id): json.member("discard", id)
    }
  }
}
