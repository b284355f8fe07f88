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

/// The programs whose logins can be read.
package enum ForeignProgram: String, Sendable, Hashable, CaseIterable {
  case t, twurl, toot

  /// Returns the path of the program's file.
  /// - Parameter configuration: the configuration folder, `$XDG_CONFIG_HOME` or `~/.config`.
  package func file(home: String, configuration: String) -> String {
    switch self {
    case .t: "\(home)/.trc"
    case .twurl: "\(home)/.twurlrc"
    case .toot: "\(configuration)/toot/config.json"
    }
  }

  /// The maximum size of a file in bytes.
  package static let byteLimit = 1 << 20

  /// Reads the logins from the content of the program's file, in the file's order.
  package func logins(in bytes: [UInt8]) throws(ForeignFileError) -> [ForeignLogin] {
    switch self {
    case .t, .twurl: try TwitterProfiles.logins(in: bytes)
    case .toot: try TootConfiguration.logins(in: bytes)
    }
  }
}

/// The reason a file cannot be read. The description contains no value from the file.
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
