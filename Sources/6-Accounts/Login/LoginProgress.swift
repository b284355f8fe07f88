package import Accounts
package import Bytes
package import Timeline

/// The progress of a login, as reported to its caller.
package enum LoginProgress: Sendable {
  /// Send the user to this address. `callbackPort` is the port of the redirect; `nil` if the user types a PIN.
  case address(RequestURL, callbackPort: Int?)
  /// Have the user enter this code at this address, on any device (RFC 8628 §3.3). `complete` is an address that already contains the code.
  case code(String, at: String, complete: String?)
  /// Have the user type a user name and a password.
  case password
  /// Have the user type a token, in one or two lines.
  case token(lines: Int)
  /// A message for the user.
  case notice(String)
  case authorised(User)
  /// The previous user's files were moved to these folders.
  case setAside([String])
  /// The token is stored in this file.
  case stored(String)
  /// A page of a timeline's first refresh has been stored, and another page follows.
  case refreshing(RoundProgress)
  /// A timeline's first refresh has ended.
  case refreshed(RefreshReport)
}
