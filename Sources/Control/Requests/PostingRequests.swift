package import CivilTime
internal import HTTP
package import JSON

/// Publishes a post.
package struct SendPostRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/post")
  package static var response: ControlResponseForm {
    .events([OutboxEvent.self, CheckedPostEvent.self, UploadEvent.self])
  }

  /// A file to publish with the post.
  package struct File: Sendable, Hashable {
    /// The absolute path.
    package var path: String
    /// A description for people who cannot see or hear the file.
    package var description: String?

    package init(path: String, description: String? = nil) {
      self.path = path
      self.description = description
    }
  }

  /// The account; nil means the only enabled account.
  package var account: String?
  package var text: String
  /// The post to reply to: the id or the URL of a published post, or the id of a post in the outbox.
  package var replyTo: String?
  /// The post's visibility: `public`, `unlisted`, `private` or `direct`.
  package var visibility: String?
  package var warning: String?
  package var language: String?
  /// The earliest time to send the post.
  package var postAt: Timestamp?
  package var files: [File]
  /// Whether to send the files with their metadata.
  package var keepsMetadata: Bool
  /// Whether to check the post without sending it.
  package var isDryRun: Bool
  /// Whether the user has agreed to the cost, as required above `confirm_above_usd`.
  package var isConfirmed: Bool

  package init(
    account: String?, text: String, replyTo: String? = nil, visibility: String? = nil, warning: String? = nil,
    language: String? = nil, postAt: Timestamp? = nil, files: [File] = [], keepsMetadata: Bool = false,
    isDryRun: Bool = false, isConfirmed: Bool = false
  ) {
    self.account = account
    self.text = text
    self.replyTo = replyTo
    self.visibility = visibility
    self.warning = warning
    self.language = language
    self.postAt = postAt
    self.files = files
    self.keepsMetadata = keepsMetadata
    self.isDryRun = isDryRun
    self.isConfirmed = isConfirmed
  }

  private static let members: [RequestMember<Self>] = [
    RequestMember("account", \.account), RequestMember("text", \.text),
    RequestMember("reply_to", \.replyTo),
    RequestMember("visibility", \.visibility), RequestMember("warning", \.warning),
    RequestMember("language", \.language), RequestMember("post_at", \.postAt),
    RequestMember("media") { request, json in
      request.files = try json.list { json in try File(&json) }
    } write: { request, json in
      json.member("media", list: request.files) { json, file in
        json.object { json in
          json.member("path", file.path)
          json.member("description", file.description)
        }
      }
    },
    RequestMember("keep_metadata", \.keepsMetadata), RequestMember("dry_run", \.isDryRun),
    RequestMember("confirmed", \.isConfirmed),
  ]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init(account: nil, text: "")
    guard try received.read(Self.members, into: &self).contains("text") else {
      throw ControlError(.badRequest, "the content must contain the text: {\"text\":TEXT}")
    }
    guard files.allSatisfy({ $0.path.hasPrefix("/") }) else {
      throw ControlError(.badRequest, "each file must have an absolute path: {\"media\":[{\"path\":PATH}]}")
    }
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}

extension SendPostRequest.File {
  fileprivate init(_ json: inout JSONCursor) throws {
    self.init(path: "")
    try json.members { json, name in
      switch name {
      case "path": path = try json.string()
      case "description": description = try json.stringOrNull()
      default: try json.skip()
      }
    }
  }
}

/// Lists the posts in the outbox, retries one, or removes one.
package struct OutboxRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/outbox")
  package static var response: ControlResponseForm { .events([OutboxEvent.self, UploadEvent.self]) }

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
  /// The reason for the state, or how the published post differs from the one that was sent; nil if neither applies.
  package var message: String?
  /// The id of the published post.
  package var post: String?
  package var url: String?

  package init(
    account: String, id: String, state: State, text: String, createdAt: Timestamp, postAt: Timestamp?,
    message: String?, post: String?, url: String?
  ) {
    self.account = account
    self.id = id
    self.state = state
    self.text = text
    self.createdAt = createdAt
    self.postAt = postAt
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
      createdAt: createdAt, postAt: members.timeOrNull("post_at"), message: members.textOrNull("message"),
      post: members.textOrNull("post"), url: members.textOrNull("url"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("id", id)
    json.member("state", state.rawValue)
    json.member("text", text)
    json.member("created_at", createdAt.rfc3339)
    json.member("post_at", postAt?.rfc3339)
    json.member("message", message)
    json.member("post", post)
    json.member("url", url)
  }
}

/// Reports that a post was checked and can be published.
package struct CheckedPostEvent: ControlEvent {
  package static let name = "checked"
  package var account: String
  /// The user and the server that would publish the post.
  package var author: String
  /// The post's length, as the server measures it; nil if unknown.
  package var length: Int?
  /// The maximum length; nil if there is none or it is unknown.
  package var limit: Int?
  /// The unit of the lengths: `characters` or `bytes`.
  package var unit: String?

  package init(account: String, author: String, length: Int? = nil, limit: Int? = nil, unit: String? = nil) {
    self.account = account
    self.author = author
    self.length = length
    self.limit = limit
    self.unit = unit
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), author: try members.text("author"),
      length: members.numberOrNull("length"), limit: members.numberOrNull("limit"), unit: members.textOrNull("unit"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("author", author)
    json.member("length", length)
    json.member("limit", limit)
    json.member("unit", unit)
  }
}

/// Reports the upload progress of a post's files. Sent repeatedly.
package struct UploadEvent: ControlEvent {
  package static let name = "upload"
  package static let isResult = false
  var account: String
  /// The id of the post in the outbox.
  var id: String
  /// The number of the file that is being uploaded, counted from 1.
  package var file: Int
  package var files: Int
  /// The number of bytes, of all files together, that the server has received.
  package var done: Int
  /// The total size of all files, in bytes.
  package var total: Int

  package init(account: String, id: String, file: Int, files: Int, done: Int, total: Int) {
    self.account = account
    self.id = id
    self.file = file
    self.files = files
    self.done = done
    self.total = total
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), id: try members.text("id"), file: try members.number("file"),
      files: try members.number("files"), done: try members.number("done"), total: try members.number("total"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("id", id)
    json.member("file", file)
    json.member("files", files)
    json.member("done", done)
    json.member("total", total)
  }
}
