package import HomelineOAuth
package import Storage

/// The secrets that an account's provider knows, and may repeat in what it answers: the application's, the account's tokens, and those of
/// its logins that are under way. Each is noted where it is first used, and hidden from then on in all that is quoted from an answer.
///
/// Belongs to the account's queue.
package final class AccountSecrets {
  /// Of the tokens the last one, and the one before it, which the provider may still be complaining of.
  private var tokens: [[Secret]] = []
  private var clients: Set<Secret> = []
  private var logins: [LoginSecrets] = []

  private static let tokensKept = 2

  package func note(_ grant: TokenGrant) {
    let secrets = grant.secrets
    guard tokens.last != secrets else { return }
    tokens = Array((tokens.filter { $0 != secrets } + [secrets]).suffix(Self.tokensKept))
  }

  package func note(clientSecret: Secret) { clients.insert(clientSecret) }

  /// A login has begun.
  package func begin(_ login: LoginSecrets) { logins.append(login) }

  /// It has ended: its codes are worthless, and forgotten.
  package func end(_ login: LoginSecrets) { logins.removeAll { $0 === login } }

  /// Takes them out of what is quoted.
  /// - Parameters:
  ///   - keys: the application's.
  ///   - sent: what went along with the request whose answer is quoted.
  package func redaction(_ keys: ClientKeys, sent: [Secret]) -> Redaction {
    Redaction(tokens.flatMap { $0 } + Array(clients) + keys.knownSecrets + logins.flatMap(\.all), sent: sent)
  }
}

/// The secrets of one login: request token, `state`, verifier, code, and the token that came of them. Belongs to the account's queue.
package final class LoginSecrets {
  private(set) var all: [Secret] = []

  package init() {}

  package func note(_ secrets: Secret?...) { all += secrets.compactMap(\.self) }

  package func note(_ grant: TokenGrant) { all += grant.secrets }
}

extension TokenGrant {
  /// All of it that lets somebody act as its user.
  fileprivate var secrets: [Secret] {
    switch self {
    case .oauth1(let credentials): [Secret(credentials.identifier), credentials.secret]
    case .oauth2(let token): [token.accessToken, token.refreshToken].compactMap(\.self)
    }
  }
}
