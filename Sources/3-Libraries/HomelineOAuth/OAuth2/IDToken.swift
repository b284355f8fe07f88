internal import Bytes
public import OAuthValues

/// An ID Token, which identifies the user of an access token (OpenID Connect Core §2).
///
/// The signature of an ID Token is not checked, because the token is received directly from the token endpoint over TLS (§3.1.3.7, rule 6).
/// Do not use a token from any other source.
public struct IDToken: Sendable, Hashable {
  /// The identifier of the server (`iss`).
  public let issuer: String
  /// The identifier of the user at this issuer (`sub`). Only the issuer and the subject together identify a user (§5.7).
  public let subject: String
  /// The user name (`preferred_username`), for display only. It may change or be reassigned.
  public let preferredUsername: String?
  /// The user's name (`name`), for display only.
  public let name: String?
  /// The user's email address (`email`), for display only.
  public let email: String?

  private static let tolerance: Int64 = 60

  /// Parses an ID Token and checks that it belongs to this login (§3.1.3.7).
  ///
  /// - Parameters:
  ///   - token: the token from the server's response over TLS.
  ///   - issuer: the expected issuer identifier, which is compared byte by byte; nil to accept any issuer. If one segment of its path is
  ///     `{tenantid}`, the token's claim `tid` must be the id of the tenant in the token's issuer.
  ///   - clientID: the client that the token must have been issued for.
  ///   - nonce: the nonce of the authorisation request; nil if none was sent.
  ///   - now: the time according to the server's clock, in seconds since 1970.
  /// - Throws: ``IDTokenError``; the token must then not be used.
  public init(
    _ token: OAuth.Secret, issuer: String?, clientID: String, nonce: String?, now: Int64
  ) throws(IDTokenError) {
    let members = try Self.claims(token)
    func claim(_ name: String) throws(IDTokenError) -> String {
      guard let text = members.text(name) else { throw .missing(name) }
      return text
    }
    self.issuer = try claim("iss")
    if let issuer, !issuer.utf8.elementsEqual(self.issuer.utf8) {
      guard IssuerTemplate.isTemplate(issuer),
        IssuerTemplate.matches(issuer, issuer: self.issuer, tenant: try claim("tid"))
      else { throw .wrong("iss") }
    }
    subject = try claim("sub")
    // OpenID Connect Core §2 allows 255 ASCII characters.
    guard subject.utf8.count <= 255 else { throw .wrong("sub") }
    try Self.checkAudience(members, clientID)
    guard case .number(let text)? = members["exp"], let end = Double(text) else { throw .missing("exp") }
    guard Double(now) - Double(Self.tolerance) < end else { throw .expired }
    if let nonce {
      guard equalInConstantTime(try claim("nonce"), nonce) else { throw .wrong("nonce") }
    }
    preferredUsername = members.text("preferred_username")
    name = members.text("name")
    email = members.text("email")
  }

  private static func claims(_ token: OAuth.Secret) throws(IDTokenError) -> ResponseMembers {
    let text = token.withExposedText { $0 }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]), payload.first == UInt8(ascii: "{") else {
      throw .unreadable
    }
    do throws(ResponseFormatError) {
      let members = try ResponseMembers(json: payload)
      guard members.duplicates.isEmpty else { throw ResponseFormatError("a duplicate claim") }
      return members
    } catch { throw .unreadable }
  }

  /// Applies rules 3 to 5: the audience must contain the client, and the authorised party, if there is one, must be the client.
  private static func checkAudience(_ members: ResponseMembers, _ clientID: String) throws(IDTokenError) {
    switch members["aud"] {
    case .text(clientID)?: break
    case .texts(let texts)? where texts.contains(clientID): break
    case nil: throw .missing("aud")
    default: throw .wrong("aud")
    }
    if let party = members.text("azp"), party != clientID { throw .wrong("azp") }
  }
}
