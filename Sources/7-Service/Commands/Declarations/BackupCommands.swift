internal import Platform

extension Command {
  /// `homeline backup`.
  package struct Backup: CommandDeclaration {
    package static let name = "backup"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .service, "write the configuration and the archives to a file",
      description: [
        """
        Writes the configuration and the archives of all accounts to a new FILE, for `homeline restore` on another machine. The
        service can keep running. Posts in the outbox are included with their files. Published files and the pictures in timelines
        are left out, because the service writes them again.
        """,
        """
        With `--with-tokens`, the file also contains the tokens, so that no new login is needed. The tokens and the configuration are
        then encrypted with a passphrase. Stop the service before you run the command. Once the other machine has renewed an OAuth 2.0
        token, the copy of the token on this machine is no longer valid, so do not start homeline here again.
        """,
      ],
      details: [
        """
        FILE is a gzip-compressed tar archive with mode 0600. Without `--with-tokens`, it contains the configuration unchanged,
        including any secrets that are written in it. Secrets in separate files are never included.
        """,
        """
        The passphrase must have at least 8 characters. The key is derived with scrypt, and the encryption is AES-256-GCM.
        `--passphrase-file` names a file whose first line is the passphrase. Other users must not be able to read it.
        """,
      ],
      examples: [
        CommandExample("homeline backup homeline.tar.gz", "Back up everything except the tokens."),
        CommandExample("homeline backup --with-tokens homeline.tar.gz", "Prepare to move to another machine."),
      ],
      exitCodes: [
        (.cannotCreate, "FILE already exists, or cannot be created"), (.temporary, "another process owns the state"),
        (.badData, "a database or a token is corrupt"),
      ])

    private static let file = Operand<String>(.file)
    private static let withTokensFlag = Flag("--with-tokens", "include the tokens, encrypted with a passphrase")

    package static var operands: [OperandDescription] { [file.description] }
    package static var options: [any DeclaredOption] { [withTokensFlag, PassphraseFile.option] }
    package static let json: JSONOutput? = JSONOutput(schema: "backup")

    package var file: String
    package var withTokens: Bool
    /// The file that contains the passphrase; nil to prompt for the passphrase on the terminal.
    package var passphraseFile: String?

    package init(_ arguments: Arguments) throws(UsageError) {
      file = try BackupFile.path(arguments, Self.file)
      withTokens = arguments.has(Self.withTokensFlag)
      passphraseFile = try arguments.value(PassphraseFile.option)
      if passphraseFile != nil, !withTokens {
        throw arguments.error("--passphrase-file needs --with-tokens; a backup without tokens is not encrypted")
      }
    }
  }

  /// `homeline restore`.
  package struct Restore: CommandDeclaration {
    package static let name = "restore"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .service, "restore the configuration and the archives from a backup",
      description: [
        """
        Reads a FILE written by `homeline backup`, checks all of its content, and puts the configuration, the archives and the tokens
        in place. The command replaces nothing: the installation must not have a configuration, tokens or archives. If the command fails,
        nothing is restored.
        """
      ],
      details: [
        """
        If the backup contains tokens, the command asks for the passphrase. Do not use homeline on the old machine any more: once this
        machine has renewed an OAuth 2.0 token, the copy on the old machine is no longer valid.
        """
      ],
      examples: [CommandExample("homeline restore homeline.tar.gz", "Restore a backup.")],
      exitCodes: [
        (.cannotCreate, "a configuration, a token or an archive already exists"),
        (.badData, "FILE is corrupt, unpacks to far more than a backup of its size, or is not a backup"),
        (.notAuthorised, "the passphrase is wrong"),
        (.temporary, "another process owns the state"),
      ])

    private static let file = Operand<String>(.file)

    package static var operands: [OperandDescription] { [file.description] }
    package static var options: [any DeclaredOption] { [PassphraseFile.option] }
    package static let json: JSONOutput? = JSONOutput(schema: "restore")

    package var file: String
    /// The file that contains the passphrase; nil to prompt for the passphrase on the terminal.
    package var passphraseFile: String?

    package init(_ arguments: Arguments) throws(UsageError) {
      file = try BackupFile.path(arguments, Self.file)
      passphraseFile = try arguments.value(PassphraseFile.option)
    }
  }
}

/// The option that names a file with a passphrase.
private enum PassphraseFile {
  static let option = Option<String>(
    "--passphrase-file", .text("FILE", .file), "read the passphrase from the first line of this file")
}

/// The FILE operand of `backup` and `restore`.
private enum BackupFile {
  static func path(_ arguments: Arguments, _ operand: Operand<String>) throws(UsageError) -> String {
    let path = try arguments.required(operand)
    if path.isEmpty || path == "-" { throw arguments.error("FILE must be the name of a file") }
    return path
  }
}
