internal import CivilTime
internal import HomelineOAuth
internal import JSON
internal import Timeline

/// The form of `token.json`, schema 1.
extension StoredToken {
  /// Why bytes are no token that this program can use.
  enum Unusable: Error {
    case newerSchema(Int64)
    case unknownKind(String)
    case corrupt(String)
  }

  static let schema: Int64 = 1
  static let kind = "oauth1"

  /// Indented JSON with a line feed at its end.
  var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", Self.schema)
      json.member("kind", Self.kind)
      json.member("provider", provider)
      json.member("server", identity.server)
      json.name("user")
      json.object { json in
        json.member("id", identity.user.id)
        json.member("screen_name", identity.user.screenName)
        json.member("name", identity.user.name)
      }
      json.member("token", credentials.identifier)
      credentials.secret.withExposedText { json.member("secret", $0) }
      json.member("authorised_at", authorisedAt.rfc3339)
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  init(json bytes: [UInt8]) throws(Unusable) {
    do {
      // Schema and kind alone first: all else may look different in another one.
      var schema: Int64?
      var kind: String?
      var header = JSONCursor(bytes, maximalDepth: 16)
      try header.members { json, name in
        switch name {
        case "schema": schema = try json.integer()
        case "kind" where try json.peek() == .string: kind = try json.string()
        default: try json.skip()
        }
      }
      try header.end()
      guard let schema, schema >= 1 else { throw Unusable.corrupt("it has no \"schema\"") }
      if schema > Self.schema { throw Unusable.newerSchema(schema) }
      guard let kind else { throw Unusable.corrupt("it has no \"kind\"") }
      if kind != Self.kind { throw Unusable.unknownKind(kind) }
      self = try Self(checkedJSON: bytes)
    } catch let error as Unusable {
      throw error
    } catch let error as JSONError {
      throw .corrupt(error.description)
    } catch {
      throw .corrupt("it cannot be read")
    }
  }

  private init(checkedJSON bytes: [UInt8]) throws {
    var texts: [String: String] = [:]
    var cursor = JSONCursor(bytes, maximalDepth: 16)
    try cursor.members { json, name in
      switch name {
      case "user":
        try json.members { json, name in
          if ["id", "screen_name", "name"].contains(name) {
            texts["user.\(name)"] = try json.string()
          } else {
            try json.skip()
          }
        }
      case "provider", "server", "token", "secret", "authorised_at": texts[name] = try json.string()
      default: try json.skip()
      }
    }
    func text(_ name: String) throws(Unusable) -> String {
      guard let text = texts[name] else { throw .corrupt("it has no \"\(name)\"") }
      return text
    }
    guard let authorisedAt = Timestamp(rfc3339: try text("authorised_at")) else {
      throw Unusable.corrupt("\"authorised_at\" is no date")
    }
    self.init(
      provider: try text("provider"),
      identity: AccountIdentity(
        server: try text("server"),
        user: User(id: try text("user.id"), screenName: try text("user.screen_name"), name: try text("user.name"))),
      credentials: TokenCredentials(identifier: try text("token"), secret: Secret(try text("secret"))),
      authorisedAt: authorisedAt)
  }
}
