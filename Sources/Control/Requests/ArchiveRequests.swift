internal import HTTP
package import JSON

/// Marks posts as read.
package struct MarkRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/read")
  package static var response: ControlResponseForm { .events([MarkedEvent.self]) }

  /// The account; nil means all enabled accounts, or the only enabled one if `upTo` is set.
  package var account: String?
  /// The id of the newest post to mark as read; nil means the newest of all.
  package var upTo: String?

  package init(account: String?, upTo: String?) {
    self.account = account
    self.upTo = upTo
  }

  private static let members: [RequestMember<Self>] = [
    RequestMember("account", \.account), RequestMember("up_to", \.upTo),
  ]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init(account: nil, upTo: nil)
    try received.read(Self.members, into: &self)
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}

package struct MarkedEvent: ControlEvent {
  package static let name = "marked"
  package var account: String
  /// The id of the newest read post; nil if no post has been read.
  package var upTo: String?
  /// The number of published posts newer than that post.
  package var unread: Int

  package init(account: String, upTo: String?, unread: Int) {
    self.account = account
    self.upTo = upTo
    self.unread = unread
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), upTo: members.textOrNull("up_to"), unread: try members.number("unread"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("up_to", upTo)
    json.member("unread", unread)
  }
}

/// Imports posts from a file that has been copied into the account's data folder.
package struct ImportRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/import")
  package static var response: ControlResponseForm { .events([ProgressEvent.self, ImportedEvent.self]) }

  /// The account; nil means the only enabled account.
  package var account: String?
  /// The name of the file in the account's data folder.
  package var file: String

  package init(account: String?, file: String) {
    self.account = account
    self.file = file
  }

  private static let members: [RequestMember<Self>] = [
    RequestMember("account", \.account), RequestMember("file", \.file),
  ]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init(account: nil, file: "")
    try received.read(Self.members, into: &self)
    guard !file.isEmpty, !file.contains("/"), !file.hasPrefix(".") else {
      throw ControlError(.badRequest, "file must be the name of a file in the account's data folder")
    }
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}

package struct ImportedEvent: ControlEvent {
  package static let name = "imported"
  package var account: String
  package var new: Int
  /// The number of posts that were already stored, and have been left unchanged.
  package var known: Int

  package init(account: String, new: Int, known: Int) {
    self.account = account
    self.new = new
    self.known = known
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), new: try members.number("new"), known: try members.number("known"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("new", new)
    json.member("known", known)
  }
}
