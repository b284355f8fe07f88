package import HomelineOAuth
package import Timeline

/// What a login tells whoever asked for it, while it goes on.
package enum LoginNews: Sendable {
  /// Send the user here. `callbackPort`: where the browser will come back to; `nil` when a PIN is to be typed in.
  case address(RequestURL, callbackPort: Int?)
  /// Have the user type this code in at this address, on any machine (RFC 8628 §3.3); `complete` has the code in it already.
  case code(String, at: String, complete: String?)
  /// Something the user should know.
  case notice(String)
  case authorised(User)
  /// Where the former user's files went.
  case setAside([String])
  /// The token is stored in this file.
  case stored(String)
  /// The first refresh has ended.
  case refreshed(RefreshReport)
}
