package import HomelineOAuth

/// Where a secret comes from. It is only named here; whoever loads the configuration for use resolves it.
package enum SecretSource: Sendable, Hashable {
  /// It stands in the configuration itself.
  case literal(Secret)
  /// The first line of a file that nobody else can read. The path is absolute, or begins with `~/`.
  case file(path: String)
  /// A file of this name in systemd's `$CREDENTIALS_DIRECTORY` (systemd.exec(5), `LoadCredential=`).
  case credential(name: String)
  /// The first line that this program writes, run with these arguments; never empty.
  case command([String])
}
