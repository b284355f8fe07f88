internal import Accounts
internal import Bytes
internal import HTTPClient
internal import HomelineOAuth
internal import Providers
internal import Settings
internal import Storage

/// A login with a token that the user already has, because another program obtained it. Nothing is exchanged; only the token's user is
/// requested, which shows whether the token is valid.
final class TokenLogin: LoginStrategy {
  let start: LoginStart
  /// The first line of an OAuth 1.0a token.
  private var identifier: String?

  /// - Throws: an error if the client keys are not available.
  init(of account: Account) throws(OperationError) {
    start = try LoginStart(of: account)
  }

  private var isSigned: Bool {
    if case .oauth1 = dependencies.provider.authorization { true } else { false }
  }

  func prepare(callback: RequestURL?, completion: @escaping Completion) {
    completion(.issued(LoginIssue(key: nil, invitation: .token(lines: isSigned ? 2 : 1))))
  }

  /// Reads a line: the token, or with OAuth 1.0a first the token and then its secret.
  func paste(_ line: String) -> LoginPaste {
    // These are the characters that a header can contain. Both parts of an OAuth 1.0a token are sent encoded, but neither contains other
    // characters.
    guard !line.isEmpty, line.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return .notUnderstood }
    guard isSigned, identifier == nil else { return .password(Secret(line)) }
    identifier = line
    secrets.note(Secret(line))
    return .partial
  }

  /// Creates the grant without a request.
  func exchange(_ token: Secret, completion: @escaping Completion) {
    secrets.note(token)
    if let identifier {
      return completion(.exchanged(.oauth1(TokenCredentials(identifier: identifier, secret: token)), named: nil))
    }
    let now = providerClient.serverNow
    let bearer = BearerToken(
      accessToken: token, refreshToken: nil, scope: nil, clientID: clientID, issuedAt: now, expiresAt: nil, renewAt: nil
    )
    secrets.note(.oauth2(bearer))
    completion(.exchanged(.oauth2(bearer), named: nil))
  }

  /// The client in the configuration; empty if this program registers itself, because the token then belongs to another client.
  private var clientID: String {
    if case .oauth2(let id, _)? = try? dependencies.keys.get() { id } else { "" }
  }

  package func authority(of grant: TokenGrant) throws(OperationError) -> RequestAuthority {
    switch (grant, dependencies.provider.authorization) {
    case (.oauth1(let credentials), _):
      return .signer(
        Signer(
          client: try dependencies.keys.consumer(), token: .token(credentials),
          method: dependencies.settings.signatureMethod))
    case (.oauth2(let token), .oauth2(let profile)): return .bearer(token.accessToken, profile.tokenPlacement)
    case (.oauth2, .oauth1): throw OperationError(.bug, "an OAuth 2.0 token cannot be used for signing")
    }
  }
}
