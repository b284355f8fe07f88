package import Bytes
internal import HomelineOAuth

/// The identity that requests are signed with.
package enum DriveKey: Sendable, Hashable {
  /// A user's token. Requests are signed with the secret of the client that the token was issued to.
  /// - Parameter library: the number of the library (`mount_id`).
  case user(token: Secret, library: String?)
  /// A library's key. Requests signed with it need no token.
  case library(id: String)
  /// An enterprise's key, which can be used to request the keys of the enterprise's libraries.
  case enterprise(id: String)

  /// The secrets that a server's messages could repeat.
  package var secrets: [Secret] {
    if case .user(let token, _) = self { [token] } else { [] }
  }
}
