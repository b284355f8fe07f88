package import JSON

/// Reports that an action on a post has taken effect.
package struct PostActionEvent: ControlEvent {
  package static let name = "acted"

  package var account: String
  var action: String
  /// The post's id.
  var post: String
  /// Whether an earlier action was undone.
  package var isUndone: Bool
  /// Whether there was nothing to do.
  package var wasAlready: Bool

  package init(account: String, action: String, post: String, isUndone: Bool = false, wasAlready: Bool = false) {
    self.account = account
    self.action = action
    self.post = post
    self.isUndone = isUndone
    self.wasAlready = wasAlready
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), action: try members.text("action"), post: try members.text("post"),
      isUndone: members.flag("undo"), wasAlready: members.flag("already"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("action", action)
    json.member("post", post)
    json.member("undo", isUndone)
    json.member("already", wasAlready)
  }
}
