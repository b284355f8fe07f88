internal import Bytes
internal import HomelineOAuth
internal import JSON
package import Storage
internal import Time
internal import Timeline

/// The JSON of `token.json`, schema 1.
extension StoredToken {
  static let schema: Int64 = 1

  /// The token as indented JSON with a final line feed.
  package var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", Self.schema)
      json.member("kind", grant.kind)
      json.member("provider", provider)
      json.member("server", identity.server)
      if let issuer = identity.issuer { json.member("issuer", issuer) }
      json.name("user")
      json.object { json in
        json.member("id", identity.user.id)
        json.member("screen_name", identity.user.screenName)
        json.member("name", identity.user.name)
      }
      grant.write(to: &json)
      json.member("authorised_at", authorisedAt.rfc3339)
      if let refusal {
        json.member("renewal_refused_at", refusal.at.rfc3339)
        json.member("renewal_refusal", refusal.kind.rawValue)
        json.member("renewal_refusal_words", refusal.message)
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  package init(json bytes: [UInt8]) throws(FormatError) {
    do {
      // The schema and the kind are read first, because all other members may differ in a different schema.
      let (schema, kind) = try Self.header(bytes)
      guard let schema, schema >= 1 else { throw FormatError.corrupt("\"schema\" is missing") }
      if schema > Self.schema { throw FormatError.newerSchema(schema) }
      guard let kind else { throw FormatError.corrupt("\"kind\" is missing") }
      let members = try TokenMembers(bytes)
      guard let grant = try TokenGrant(kind: kind, members) else { throw FormatError.unknownKind(kind) }
      self.init(
        provider: try members.text("provider"),
        identity: AccountIdentity(
          server: try members.text("server"),
          user: User(
            id: try members.text("user.id"), screenName: try members.text("user.screen_name"),
            name: try members.text("user.name")),
          issuer: members.optional("issuer")),
        grant: grant, authorisedAt: try members.moment("authorised_at"), refusal: try Self.refusal(members))
    } catch let error as FormatError {
      throw error
    } catch let error as JSONError {
      throw .corrupt(error.description)
    } catch {
      throw .corrupt("it is not valid JSON")
    }
  }

  /// Returns the refusal. A refusal of an unknown kind is ignored, so that the token is renewed as usual.
  private static func refusal(_ members: TokenMembers) throws(FormatError) -> RenewalRefusal? {
    guard let kind = members.optional("renewal_refusal").flatMap({ RenewalRefusal.Kind(rawValue: $0) }),
      let moment = try members.optionalMoment("renewal_refused_at")
    else { return nil }
    return RenewalRefusal(kind, members.optional("renewal_refusal_words") ?? "", at: moment)
  }

  private static func header(_ bytes: [UInt8]) throws -> (schema: Int64?, kind: String?) {
    var schema: Int64?
    var kind: String?
    var header = JSONCursor(bytes, maximalDepth: 16)
    try header.members { json, name in
      switch name {
      case "schema": schema = try json.integer(in: 0...Int64.max)
      case "kind" where try json.peek() == .string: kind = try json.string()
      default: try json.skip()
      }
    }
    try header.end()
    return (schema, kind)
  }
}

extension TokenGrant {
  /// Writes the members of this kind.
  func write(to json: inout JSONWriter) {
    switch self {
    case .oauth1(let credentials):
      json.member("token", credentials.identifier)
      credentials.secret.withExposedText { json.member("secret", $0) }
    case .oauth2(let token):
      token.accessToken.withExposedText { json.member("access_token", $0) }
      json.name("refresh_token")
      if let refreshToken = token.refreshToken {
        refreshToken.withExposedText { json.string($0) }
      } else {
        json.null()
      }
      json.member("scope", token.scope)
      json.member("client_id", token.clientID)
      json.member("issued_at", token.issuedAt.rfc3339)
      json.member("received_at", token.receivedAt?.rfc3339)
      json.member("expires_at", token.expiresAt?.rfc3339)
      json.member("renew_at", token.renewAt?.rfc3339)
    }
  }

  /// Reads the members of a kind; `nil` for a kind that this version does not know.
  init?(kind: String, _ members: TokenMembers) throws(StoredToken.FormatError) {
    switch kind {
    case "oauth1":
      self = .oauth1(
        TokenCredentials(
          identifier: try members.text("token"), secret: Secret(try members.text("secret"))))
    case "oauth2":
      self = .oauth2(
        BearerToken(
          accessToken: Secret(try members.text("access_token")),
          refreshToken: members.optional("refresh_token").map { Secret($0) }, scope: members.optional("scope"),
          clientID: try members.text("client_id"), issuedAt: try members.moment("issued_at"),
          receivedAt: try members.optionalMoment("received_at"), expiresAt: try members.optionalMoment("expires_at"),
          renewAt: try members.optionalMoment("renew_at")))
    default: return nil
    }
  }
}
