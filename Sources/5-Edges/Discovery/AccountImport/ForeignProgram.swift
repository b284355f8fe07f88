/// The programs whose logins can be read.
package enum ForeignProgram: String, Sendable, Hashable, CaseIterable {
  case t, twurl, toot

  /// Returns the path of the program's file.
  /// - Parameter configuration: the folder for configurations, `$XDG_CONFIG_HOME` or `~/.config`.
  package func file(home: String, configuration: String) -> String {
    switch self {
    case .t: "\(home)/.trc"
    case .twurl: "\(home)/.twurlrc"
    case .toot: "\(configuration)/toot/config.json"
    }
  }

  /// The maximum size of a file in bytes.
  package static let byteLimit = 1 << 20

  /// Reads the logins in the content of the program's file.
  /// - Throws: an error only if the file as a whole cannot be read.
  package func logins(in bytes: [UInt8]) throws(ForeignFileError) -> ForeignLogins {
    switch self {
    case .t, .twurl: try TwitterProfiles.logins(in: bytes)
    case .toot: try TootConfiguration.logins(in: bytes)
    }
  }
}
