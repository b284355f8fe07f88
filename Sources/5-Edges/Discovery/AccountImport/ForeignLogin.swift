package import Bytes

/// Another program's login: the user, and the token that the program sends with its requests.
package struct ForeignLogin: Sendable, Hashable {
  /// The keys of an OAuth 1.0a application.
  package struct Consumer: Sendable, Hashable {
    package let key: String
    package let secret: Secret
  }

  package let userName: String
  /// The server's origin; nil if it is not in the file.
  package let server: RequestURL?
  /// The application that the token belongs to; nil for an OAuth 2.0 token.
  package let consumer: Consumer?
  package let token: Secret
  /// The secret of an OAuth 1.0a token (RFC 5849 §1.1); nil for an OAuth 2.0 token.
  package let tokenSecret: Secret?
}

extension Secret {
  /// Creates a part of a token if it can be sent: it must consist of visible ASCII characters. Nil for any other text.
  init?(tokenPart text: String) {
    guard !text.isEmpty, text.utf8.count <= 8192, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    self.init(text)
  }
}
