package import HomelineOAuth

/// A login of another program: the user, and the token that the program sends with its requests.
package struct ForeignLogin: Sendable, Hashable {
  /// The keys of an OAuth 1.0a application.
  package struct Consumer: Sendable, Hashable {
    package let key: String
    package let secret: Secret
  }

  package let userName: String
  /// The server's origin; nil if the file does not contain it.
  package let server: RequestURL?
  /// The application that the token belongs to; nil for an OAuth 2.0 token.
  package let consumer: Consumer?
  package let token: Secret
  /// The secret of an OAuth 1.0a token (RFC 5849 §1.1); nil for an OAuth 2.0 token.
  package let tokenSecret: Secret?
}

/// The reason why a file cannot be read. The description contains no value of the file.
package struct ForeignFileError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  init(_ description: String, line: Int) { self.description = "line \(line): \(description)" }
}

extension Secret {
  /// Creates a part of a token if it can be sent as one, that is, if it consists of visible ASCII characters; nil
  /// for any other text.
  init?(tokenPart text: String) {
    guard !text.isEmpty, text.utf8.count <= 8192, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    self.init(text)
  }
}
