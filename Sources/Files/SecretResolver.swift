package import HomelineOAuth
package import Platform
package import Settings

/// Fetches a secret from where the configuration says it is.
package struct SecretResolver: Sendable {
  /// Far more than any secret, and little enough to be read by mistake.
  private static let limit = 65_536
  /// Time enough to unlock a password manager by a touch; a forgotten prompt must not hang a service.
  private static let timeout = Duration.seconds(30)

  private let variables: [String: String]
  private let folders: BaseDirectories

  package init(variables: [String: String], folders: BaseDirectories) {
    self.variables = variables
    self.folders = folders
  }

  /// - Throws: what is wrong with which source; the secret is in no message.
  package func secret(from source: SecretSource) throws(SecretError) -> Secret {
    switch source {
    case .literal(let secret): secret
    case .file(let path): try file(path.hasPrefix("~/") ? folders.home + path.dropFirst() : path)
    case .credential(let name): try credential(name)
    case .command(let words): try output(of: words)
    }
  }

  private func file(_ path: String) throws(SecretError) -> Secret {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try File.readPrivate(path, limit: Self.limit) } catch {
      throw SecretError("\(error)")
    }
    return try firstLine(bytes, of: path)
  }

  /// systemd.exec(5): the folder is the service's own, so its files' modes are not looked at.
  private func credential(_ name: String) throws(SecretError) -> Secret {
    guard let folder = variables["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
      throw SecretError("the credential \(name) is handed out by systemd only: start the service")
    }
    let path = "\(folder)/\(name)"
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try File.read(path, limit: Self.limit) } catch {
      throw SecretError("\(error)")
    }
    return try firstLine(bytes, of: path)
  }

  private func output(of words: [String]) throws(SecretError) -> Secret {
    let program = DisplayText.plain(words[0])
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Child.output(
        of: words[0], Array(words.dropFirst()), environment: variables, limit: Self.limit, timeout: Self.timeout)
    } catch { throw SecretError("the secret's command \(program): \(error)") }
    return try firstLine(bytes, of: program)
  }

  private func firstLine(_ bytes: [UInt8], of source: String) throws(SecretError) -> Secret {
    var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    guard !line.isEmpty else {
      throw SecretError("\(source): its first line is empty, and the secret should be there")
    }
    return Secret(bytes: Array(line))
  }
}

/// Why a secret that the configuration names could not be had: a mistake that only the user can set right.
package struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with which source, and what to do; nothing of the secret.
  package let description: String

  init(_ description: String) { self.description = description }
}
