internal import Backup
internal import Bytes
internal import Commands
internal import Folders
internal import JSON
internal import LocalCommands
internal import Platform
internal import Settings
internal import Time

extension Command.Backup: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let layout = try context.layout()
    let files = try context.configurationFiles()
    let configuration = try files.load()
    var lock: StateLock?
    var passphrase: Secret?
    if withTokens {
      lock = try StateLock(layout, command: Self.name)
      passphrase = try Passphrase.new(from: passphraseFile)
    }
    let writer = BackupWriter(
      layout, try context.storage(), configuration: files, version: Version.number, now: WallClock.system.now,
      environment: context.environment.variables)
    let summary: BackupWriter.Summary
    do throws(BackupError) { summary = try writer.write(to: self.file, passphrase: passphrase) } catch {
      throw CommandError(error)
    }
    _ = consume lock
    let notes = BackupNotes.afterBackup(configuration, summary, withTokens: withTokens)
    if context.invocation.isJSON {
      let json = JSONDocument.output { json in
        json.member("file", self.file)
        json.member("archives", summary.databases)
        json.member("tokens", summary.tokens)
        json.member("outbox_posts", summary.posts)
        json.member("missing", list: summary.missing) { $0.string($1) }
        json.member("notices", list: notes) { $0.string($1) }
      }
      return try context.write(CommandOutput(json, notes: notes))
    }
    let tokens = withTokens ? ", \(BackupNotes.count(summary.tokens, "token"))" : ""
    return try context.write(
      CommandOutput(
        "\(self.file): the configuration, \(BackupNotes.count(summary.databases, "archive"))\(tokens)\n",
        notes: notes))
  }
}

extension Command.Restore: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let layout = try context.layout()
    let files = try context.configurationFiles()
    let lock = try StateLock(layout, command: Self.name)
    let reader = BackupReader(
      layout, configuration: files, now: WallClock.system.now, environment: context.environment.variables)
    let summary: BackupReader.Summary
    do throws(BackupError) {
      summary = try reader.restore(self.file) { () throws(BackupError) in
        do throws(CommandError) { return try Passphrase.existing(from: passphraseFile) } catch {
          throw BackupError(error)
        }
      }
    } catch { throw CommandError(error, about: self.file) }
    _ = consume lock
    let notes = BackupNotes.afterRestore(summary)
    if context.invocation.isJSON {
      let json = JSONDocument.output { json in
        json.member("archives", summary.databases)
        json.member("tokens", summary.tokens)
        json.member("held_posts", summary.heldPosts)
        json.member("missing", list: summary.missingFiles) { $0.string($1) }
        json.member("notices", list: notes) { $0.string($1) }
      }
      return try context.write(CommandOutput(json, notes: notes))
    }
    let tokens = summary.manifest.hasTokens ? ", \(BackupNotes.count(summary.tokens, "token"))" : ""
    return try context.write(
      CommandOutput(
        "restored the configuration, \(BackupNotes.count(summary.databases, "archive"))\(tokens)\n",
        notes: notes))
  }
}

/// The lock on the state for a command that serves no other commands.
private struct StateLock: ~Copyable {
  private let lock: OwnerLock

  /// - Throws: 75 if another process owns the state.
  init(_ layout: FileLayout, command: String) throws(CommandError) {
    let outcome: OwnerLock.Outcome
    do throws(SystemError) {
      outcome = try OwnerLock.take(
        layout, as: Owner(processID: ProcessEnvironment.processID, controlSocket: nil, command: command))
    } catch { throw CommandError(.cannotCreate, "could not lock the state: \(error)") }
    switch consume outcome {
    case .held(let lock): self.lock = lock
    case .taken(let other):
      throw CommandError(
        .temporary,
        other.map { "\($0) is using the accounts. \($0.endAdvice)" }
          ?? "another homeline is using the accounts. Try again when it has ended")
    }
  }
}

/// The passphrase of a backup, from a file or from the terminal.
private enum Passphrase {
  /// Returns a new passphrase, which the user types twice.
  static func new(from file: String?) throws(CommandError) -> Secret {
    let passphrase = try read(file, "Passphrase for the tokens")
    guard passphrase.withExposedText({ $0.count >= PassphraseEncryption.shortestPassphrase }) else {
      throw CommandError(
        .usage, "the passphrase is too short: it needs at least \(PassphraseEncryption.shortestPassphrase) characters")
    }
    if file == nil, try read(nil, "The same passphrase again") != passphrase {
      throw CommandError(.usage, "the two passphrases differ; nothing was written")
    }
    return passphrase
  }

  static func existing(from file: String?) throws(CommandError) -> Secret { try read(file, "Passphrase of the backup") }

  private static func read(_ file: String?, _ prompt: String) throws(CommandError) -> Secret {
    guard let file else {
      do throws(SystemError) {
        if let line = try PassphrasePrompt.ask(prompt) { return Secret(bytes: line) }
      } catch { throw CommandError(error) }
      throw CommandError(.usage, "there is no terminal to ask for the passphrase; use --passphrase-file")
    }
    do throws(PrivateFileError) {
      let bytes = try File.readPrivate(file, limit: 65_536)
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
      return Secret(bytes: Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
    } catch { throw CommandError(.usage, "\(error)") }
  }
}

/// Notes about the content of a backup, and about the other machine.
private enum BackupNotes {
  static func afterBackup(
    _ configuration: Configuration, _ summary: BackupWriter.Summary, withTokens: Bool
  ) -> [String] {
    var notes: [String] = []
    let files = configuration.accounts.compactMap { account -> String? in
      switch account.credentials {
      case .oauth1(_, .file(let path)), .oauth2(_, .file(let path)?): path
      default: nil
      }
    }
    if !files.isEmpty {
      notes.append("these files with secrets are not included; copy them yourself: \(files.joined(separator: ", "))")
    }
    if summary.posts > 0 {
      notes.append(
        "posts in the outbox are included with their files, and are not sent by the other machine unless you ask it to; "
          + "this machine still sends those that wait")
    }
    notes += summary.missing.map { "not included: \($0)" }
    guard withTokens else {
      let keys = configuration.accounts.compactMap { account in
        account.credentials.keyOfSecretInFile.map { "accounts.\(account.name).\($0)" }
      }
      if !keys.isEmpty {
        notes.append(
          "the file is not encrypted and contains secrets of the configuration: \(keys.joined(separator: ", "))")
      }
      return notes + ["tokens are not included; after restoring, log in again, or use --with-tokens"]
    }
    if summary.hasRefreshTokens {
      notes.append(
        "once the other machine has renewed its tokens, those on this machine are no longer valid. "
          + "Do not use homeline here again. If a service refreshes the accounts here, end it: systemctl --user disable --now homeline, "
          + "or remove its line with crontab -e")
    }
    return notes
  }

  static func afterRestore(_ summary: BackupReader.Summary) -> [String] {
    var notes: [String] = []
    if summary.heldPosts > 0 {
      notes.append(
        "\(count(summary.heldPosts, "post")) in the outbox may have been posted by the other machine. If not, "
          + "send them: homeline outbox --retry")
    }
    notes += summary.missingFiles.map { "not in the backup: \($0). If it was not posted, write it again" }
    if summary.manifest.hasTokens {
      notes.append(
        "stop using homeline on the backed-up machine: once this machine has renewed the tokens, "
          + "the other machine's are no longer valid")
    }
    return notes + ["to see what is missing: homeline doctor"]
  }

  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
