package import JSON
package import Time

/// A post in the outbox.
package struct OutboxEvent: ControlEvent {
  package static let name = "outbox"

  package enum State: String, Sendable, Hashable, CaseIterable {
    /// The post is waiting to be sent.
    case queued
    /// The post was sent, and homeline is finding out its outcome.
    case sending
    /// The post's files are being uploaded.
    case uploading
    case posted
    /// The post was not published.
    case refused
    /// The post may have been published.
    case unknown
    /// The post was removed from the outbox.
    case discarded
  }

  package var account: String
  /// The id of the post in the outbox.
  package var id: String
  package var state: State
  package var text: String
  var createdAt: Timestamp
  /// The time that the user has set; nil if the post is to be sent as soon as possible.
  package var postAt: Timestamp?
  /// The earliest time of the next attempt; nil if the post is not waiting for an attempt.
  package var waitsUntil: Timestamp?
  /// The reason for the state, or how the published post differs from the sent post; nil if neither applies.
  package var message: String?
  /// The id of the published post.
  package var post: String?
  package var url: String?

  package init(
    account: String, id: String, state: State, text: String, createdAt: Timestamp, postAt: Timestamp?,
    waitsUntil: Timestamp? = nil, message: String?, post: String?, url: String?
  ) {
    self.account = account
    self.id = id
    self.state = state
    self.text = text
    self.createdAt = createdAt
    self.postAt = postAt
    self.waitsUntil = waitsUntil
    self.message = message
    self.post = post
    self.url = url
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    guard let state = State(rawValue: try members.text("state")) else {
      throw EventMembers.MissingMemberError(name: "state")
    }
    guard let createdAt = members.timeOrNull("created_at") else {
      throw EventMembers.MissingMemberError(name: "created_at")
    }
    self.init(
      account: try members.text("account"), id: try members.text("id"), state: state, text: try members.text("text"),
      createdAt: createdAt, postAt: members.timeOrNull("post_at"), waitsUntil: members.timeOrNull("waits_until"),
      message: members.textOrNull("message"),
      post: members.textOrNull("post"), url: members.textOrNull("url"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("id", id)
    json.member("state", state.rawValue)
    json.member("text", text)
    json.member("created_at", createdAt.rfc3339)
    json.member("post_at", postAt?.rfc3339)
    json.member("waits_until", waitsUntil?.rfc3339)
    json.member("message", message)
    json.member("post", post)
    json.member("url", url)
  }
}
