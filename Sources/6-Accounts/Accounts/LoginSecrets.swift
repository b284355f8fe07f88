package import Bytes
internal import HomelineOAuth
package import Storage

/// The secrets of one login: request token, `state`, verifier, code, and the resulting token. Belongs to the account's queue.
package final class LoginSecrets {
  private(set) var all: [Secret] = []

  package init() {}

  package func note(_ secrets: Secret?...) { all += secrets.compactMap(\.self) }

  package func note(_ grant: TokenGrant) { all += grant.secrets }
}
