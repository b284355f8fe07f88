public import Bytes

/// The value of `oauth_callback`: where the provider redirects the user afterwards (RFC 5849 §2.1).
public enum CallbackAddress: Sendable, Hashable {
  /// A URL, exactly as registered with the provider.
  case url(RequestURL)
  /// No URL, which is sent as `oob`. The provider shows a verifier (PIN), which the user enters in the application.
  case outOfBand

  /// The text to send.
  public var text: String {
    switch self {
    case .url(let url): url.text
    case .outOfBand: "oob"
    }
  }
}
