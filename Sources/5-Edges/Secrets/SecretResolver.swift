package import Bytes
internal import Keyring
package import Platform
package import Settings

/// Reads a secret from the source that the configuration specifies.
package struct SecretResolver: Sendable {
  /// The maximum size in bytes of the file or output that contains a secret, far more than any secret needs.
  private static let limit = 65_536
  /// How long a command that prints a secret may run. This is long enough to unlock a password manager with a touch, but prevents a
  /// forgotten prompt from blocking a service.
  private static let timeout = Duration.seconds(30)

  private let variables: [String: String]
  private let folders: BaseDirectories

  package init(variables: [String: String], folders: BaseDirectories) {
    self.variables = variables
    self.folders = folders
  }

  /// Returns the secret from a source.
  /// - Throws: ``SecretError``, which states where the secret should be and what is wrong, but not the secret.
  package func secret(from source: SecretSource) throws(SecretError) -> Secret {
    switch source {
    case .literal(let secret): secret
    case .file(let path): try file(path.hasPrefix("~/") ? folders.home + path.dropFirst() : path)
    case .credential(let name): try credential(name)
    case .command(let command): try output(of: command)
    case .keyring(let account): try item(of: account)
    }
  }

  private func file(_ path: String) throws(SecretError) -> Secret {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try File.readPrivate(path, limit: Self.limit) } catch {
      throw SecretError("\(error)")
    }
    return try firstLine(bytes, of: path)
  }

  /// Reads a credential (systemd.exec(5)). The credentials folder is private to the service, so the modes of its files are not checked.
  private func credential(_ name: String) throws(SecretError) -> Secret {
    guard let folder = variables["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
      throw SecretError("only systemd provides the credential \(name): start the service with systemctl")
    }
    let path = "\(folder)/\(name)"
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try File.read(path, limit: Self.limit) } catch {
      throw SecretError("\(error)")
    }
    return try firstLine(bytes, of: path)
  }

  private func output(of command: [String]) throws(SecretError) -> Secret {
    let program = DisplayText.plain(command[0])
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Child.output(
        of: command[0], Array(command.dropFirst()), environment: variables, limit: Self.limit, timeout: Self.timeout)
    } catch { throw SecretError("the command for the secret failed: \(error)") }
    return try firstLine(bytes, of: program)
  }

  /// Returns the secret of the first item with the account's attributes, without starting or unlocking the keyring.
  private func item(of account: String) throws(SecretError) -> Secret {
    let found: FoundSecrets
    do throws(SecretStoreError) {
      found = try SecretService(BusAddress(environment: variables), startsProvider: false).secrets(
        with: .clientSecret(of: account))
    } catch { throw SecretError("\(error)") }
    let name = DisplayText.quoted(account)
    guard let secret = found.secrets.first else {
      if found.isLocked { throw SecretError("\(SecretStoreError.locked)") }
      throw SecretError(
        "the keyring has no client secret for the account \(name); to store it, see man homeline-config")
    }
    return try secret.withExposed { bytes throws(SecretError) in
      try firstLine(bytes, of: "the keyring's item of \(name)")
    }
  }

  private func firstLine(_ bytes: [UInt8], of source: String) throws(SecretError) -> Secret {
    var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    guard !line.isEmpty else {
      throw SecretError("\(source): the first line of its output should be the secret, but is empty")
    }
    return Secret(bytes: Array(line))
  }
}
