/// The ID Token in an answer of the token endpoint: whose token it is (OpenID Connect Core §2).
///
/// Its signature is not read: it comes straight from the token endpoint over TLS, which says as much (§3.1.3.7, rule 6). So it must
/// never be taken from anywhere else.
public struct IDToken: Sendable, Hashable {
  /// `iss`: which server speaks.
  public let issuer: String
  /// `sub`: the user's id there. Together with the issuer it names a user; nothing else does (§5.7).
  public let subject: String
  /// `preferred_username`, for show only: it may change, and go to somebody else.
  public let preferredUsername: String?
  /// `name`, for show.
  public let name: String?
  /// `email`, for show.
  public let email: String?

  private static let tolerance: Int64 = 60

  /// Reads an ID Token and checks that it is one for this login (§3.1.3.7).
  ///
  /// - Parameters:
  ///   - token: the token as the server sent it, over TLS: its signature is not checked.
  ///   - issuer: the server's issuer identifier, compared byte by byte; nil where it is not known, and then any is accepted.
  ///   - clientID: the client that must be in the token's audience.
  ///   - nonce: the nonce of the authorisation request; nil where none was sent.
  ///   - now: the time by the server's clock, in seconds since 1970.
  /// - Throws: ``IDTokenError``; such a token logs nobody in.
  public init(
    _ token: OAuth.Secret, issuer: String?, clientID: String, nonce: String?, now: Int64
  ) throws(IDTokenError) {
    let members = try Self.claims(token)
    func claim(_ name: String) throws(IDTokenError) -> String {
      guard let text = members.text(name) else { throw .missing(name) }
      return text
    }
    self.issuer = try claim("iss")
    if let issuer, !issuer.utf8.elementsEqual(self.issuer.utf8) { throw .wrong("iss") }
    subject = try claim("sub")
    // §2 allows 255 ASCII characters.
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
    do throws(Unreadable) {
      let members = try ResponseMembers(json: payload)
      guard members.doubled.isEmpty else { throw Unreadable("a claim twice") }
      return members
    } catch { throw .unreadable }
  }

  /// Rules 3 to 5: the client is among those that it is for, and where a party is named that may use it, that is the client.
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

/// Why an ID Token proves nothing.
public enum IDTokenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It is not three parts of which the middle one is a JSON object.
  case unreadable
  /// A claim that has to be there is not.
  case missing(String)
  /// A claim is not what it has to be for this login.
  case wrong(String)
  /// Its time is over.
  case expired

  /// What is wrong, as the end of a sentence.
  public var description: String {
    switch self {
    case .unreadable: "it cannot be read"
    case .missing(let claim): "it has no \(claim)"
    case .wrong("iss"): "its iss is not the server's issuer"
    case .wrong("aud"), .wrong("azp"): "it is for another client than this one"
    case .wrong(let claim): "its \(claim) is not that of this login"
    case .expired: "it has expired; if this machine's clock or the server's is wrong, set it"
    }
  }
}
