package import Bytes
package import HomelineOAuth
package import Storage

/// The secrets that an account's provider knows and may repeat in its responses: the application's secret, the account's tokens, and the
/// secrets of pending logins. Each secret is recorded when it is first used, and is hidden whenever a later response is quoted.
///
/// Belongs to the account's queue.
package final class AccountSecrets {
  /// The secrets of the current and the previous token, because the provider's errors may still quote the previous one.
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

  /// Adds the secrets of a login that has started.
  package func begin(_ login: LoginSecrets) { logins.append(login) }

  /// Removes the secrets of a login that has ended. The login's codes can no longer be used.
  package func end(_ login: LoginSecrets) { logins.removeAll { $0 === login } }

  /// Returns the redaction that removes the secrets from quoted responses.
  /// - Parameters:
  ///   - keys: the application's keys.
  ///   - sent: the secrets in the request whose response is quoted.
  package func redaction(_ keys: ClientKeys, sent: [Secret]) -> Redaction {
    Redaction(tokens.flatMap { $0 } + Array(clients) + keys.knownSecrets + logins.flatMap(\.all), sent: sent)
  }
}
