/// Where the provider sends the user afterwards: the value of `oauth_callback` (RFC 5849 §2.1).
public enum CallbackAddress: Sendable, Hashable {
  /// An address of ours, byte by byte as it is registered with the provider.
  case url(RequestURL)
  /// Nowhere: the provider shows a verifier (a PIN), and the user types it in. Written `oob`, lower-case.
  case outOfBand

  /// What is sent.
  public var text: String {
    switch self {
    case .url(let url): url.text
    case .outOfBand: "oob"
    }
  }
}
