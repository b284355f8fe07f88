internal import HTTP
package import JSON
package import Time

/// Publishes a post.
package struct SendPostRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/post")
  package static var response: ControlResponseForm {
    .events([OutboxEvent.self, CheckedPostEvent.self, UploadEvent.self, PostWaitEvent.self])
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
  /// Whether the user accepts that a server with unknown software may ignore the visibility, the warning or the language.
  package var trustsServer: Bool
  /// How many seconds in all the command waits for another attempt if the post cannot be sent immediately; nil for the usual time.
  package var patience: Int?

  /// The id that the post gets in the outbox; nil for a random one. If the account's outbox contains a post with this id, the request is a
  /// repetition, and gets the outcome of the first one.
  package var id: String?

  /// The seconds that a command can wait: at most a day.
  package static let patiences = 0...86_400

  package init(
    account: String?, text: String, replyTo: String? = nil, visibility: String? = nil, warning: String? = nil,
    language: String? = nil, postAt: Timestamp? = nil, files: [File] = [], keepsMetadata: Bool = false,
    isDryRun: Bool = false, isConfirmed: Bool = false, patience: Int? = nil, trustsServer: Bool = false,
    id: String? = nil
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
    self.id = id
    self.patience = patience
    self.trustsServer = trustsServer
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
    RequestMember("confirmed", \.isConfirmed), RequestMember("trust_server", \.trustsServer),
    // Earlier versions of the service refuse unknown members.
    RequestMember("wait_seconds") { request, json in
      request.patience = try json.integer(in: patiences)
    } write: { request, json in
      if let patience = request.patience { json.member("wait_seconds", patience) }
    },
    RequestMember("id") { request, json in
      request.id = try json.stringOrNull()
    } write: { request, json in
      if let id = request.id { json.member("id", id) }
    },
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
