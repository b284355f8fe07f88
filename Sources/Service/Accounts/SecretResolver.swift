package import HomelineOAuth
internal import Platform
package import Settings

/// Fetches a secret from where the configuration says it is.
package struct SecretResolver: Sendable {
  /// No secret is longer; a file that is, is the wrong one.
  private static let sizeLimit = 65536
  /// A password manager may ask its user something meanwhile.
  private static let commandTimeout = Duration.seconds(30)

  private let environment: [String: String]

  /// - Parameter environment: `HOME` for `~/`, `CREDENTIALS_DIRECTORY` (systemd.exec(5)), and what a command inherits.
  package init(environment: [String: String]) { self.environment = environment }

  /// - Throws: `Failure` that names the source and what is wrong with it, never its content.
  package func resolve(_ source: SecretSource) throws(Failure) -> Secret {
    switch source {
    case .literal(let secret): return secret
    case .file(let path): return try read(expanded(path))
    case .credential(let name):
      guard let folder = environment["CREDENTIALS_DIRECTORY"] else {
        throw Failure(
          .configuration,
          "the credential '\(name)' is only there for the service: start it (systemctl --user start homeline)")
      }
      return try read("\(folder)/\(name)")
    case .command(let words): return try run(words)
    }
  }

  private func read(_ path: String) throws(Failure) -> Secret {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try File.readPrivate(path, limit: Self.sizeLimit) } catch {
      throw Failure(.configuration, "the secret cannot be read: \(error)")
    }
    return try firstLine(bytes, of: path)
  }

  private func run(_ words: [String]) throws(Failure) -> Secret {
    let output: [UInt8]
    do throws(SystemError) {
      output = try Child.output(
        of: words[0], Array(words.dropFirst()), environment: environment, limit: Self.sizeLimit,
        timeout: Self.commandTimeout)
    } catch { throw Failure(.configuration, "the command for the secret failed: \(error)") }
    return try firstLine(output, of: "the output of \(words[0])")
  }

  private func firstLine(_ bytes: [UInt8], of source: String) throws(Failure) -> Secret {
    var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard !line.isEmpty else {
      throw Failure(.configuration, "there is no secret: the first line of \(source) is empty")
    }
    return Secret(bytes: Array(line))
  }

  private func expanded(_ path: String) -> String {
    path.hasPrefix("~/") ? (environment["HOME"] ?? "") + path.dropFirst() : path
  }
}
