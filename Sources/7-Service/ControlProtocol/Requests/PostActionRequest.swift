internal import HTTP
package import JSON

/// Performs an action on a published post.
package struct PostActionRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/action")
  package static var response: ControlResponseForm { .events([PostActionEvent.self]) }

  /// The account; nil means the only enabled account.
  package var account: String?
  /// The action's name: `delete`, `repost`, `like` or `bookmark`.
  package var action: String
  /// The post's id or URL.
  package var post: String
  /// Whether to undo an earlier action.
  package var undo: Bool

  package init(account: String?, action: String, post: String, undo: Bool) {
    self.account = account
    self.action = action
    self.post = post
    self.undo = undo
  }

  private static let members: [RequestMember<Self>] = [
    RequestMember("account", \.account), RequestMember("action", \.action),
    RequestMember("post", \.post), RequestMember("undo", \.undo),
  ]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init(account: nil, action: "", post: "", undo: false)
    guard try received.read(Self.members, into: &self).isSuperset(of: ["action", "post"]) else {
      throw ControlError(.badRequest, "the content must name the action and the post: {\"action\":NAME,\"post\":ID}")
    }
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}
