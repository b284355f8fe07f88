internal import CivilTime
internal import HomelineOAuth
internal import JSON
internal import Timeline

/// The form of `token.json`, schema 1.
extension StoredToken {
  /// Why bytes are no token that this program can use.
  package enum Unusable: Error {
    case newerSchema(Int64)
    case unknownKind(String)
    case corrupt(String)
  }

  static let schema: Int64 = 1

  /// Indented JSON with a line feed at its end.
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
        json.member("renewal_refusal_words", refusal.words)
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  package init(json bytes: [UInt8]) throws(Unusable) {
    do {
      // Schema and kind alone first: all else may look different in another one.
      let (schema, kind) = try Self.header(bytes)
      guard let schema, schema >= 1 else { throw Unusable.corrupt("it has no \"schema\"") }
      if schema > Self.schema { throw Unusable.newerSchema(schema) }
      guard let kind else { throw Unusable.corrupt("it has no \"kind\"") }
      let members = try TokenMembers(bytes)
      guard let grant = try TokenGrant(kind: kind, members) else { throw Unusable.unknownKind(kind) }
      self.init(
        provider: try members.text("provider"),
        identity: AccountIdentity(
          server: try members.text("server"),
          user: User(
            id: try members.text("user.id"), screenName: try members.text("user.screen_name"),
            name: try members.text("user.name")),
          issuer: members.optional("issuer")),
        grant: grant, authorisedAt: try members.moment("authorised_at"), refusal: try Self.refusal(members))
    } catch let error as Unusable {
      throw error
    } catch let error as JSONError {
      throw .corrupt(error.description)
    } catch {
      throw .corrupt("it cannot be read")
    }
  }

  /// A kind that this version does not know is no reason to refuse the token: it is then tried again.
  private static func refusal(_ members: TokenMembers) throws(Unusable) -> RenewalRefusal? {
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
      case "schema": schema = try json.integer()
      case "kind" where try json.peek() == .string: kind = try json.string()
      default: try json.skip()
      }
    }
    try header.end()
    return (schema, kind)
  }
}
