package import CivilTime
package import Files
package import HomelineOAuth
internal import Platform
internal import Posting
internal import Settings
internal import Storage
internal import StorageSQLite

/// Reads a backup, checks everything in it, and puts its files in place.
package struct BackupReader {
  private let layout: FileLayout
  private let configurationPath: String
  private let now: Timestamp
  private let tar: TarProgram

  /// - Parameters:
  ///   - configurationPath: Where the configuration is restored to.
  ///   - environment: The environment for tar(1).
  package init(_ layout: FileLayout, configurationPath: String, now: Timestamp, environment: [String: String]) {
    self.layout = layout
    self.now = now
    self.configurationPath = configurationPath
    tar = TarProgram(environment: environment)
  }

  /// The checked content of a backup.
  package struct Summary: Sendable, Hashable {
    package let manifest: BackupManifest
    package let databases: Int
    package let tokens: Int
    /// The number of posts that were waiting in an outbox, whose outcome is now unknown.
    package let heldPosts: Int
  }

  /// Restores a backup. The caller owns the state.
  /// - Parameter passphrase: Called if the backup is encrypted.
  /// - Throws: `BackupError`; the installation is then as empty as before the call.
  package func restore(
    _ file: String, passphrase: () throws(BackupError) -> Secret
  ) throws(BackupError) -> Summary {
    guard File.exists(file) else { throw BackupError(.badData, "\(file) does not exist") }
    let journal = RestoreJournal(layout)
    try journal.undoInterrupted()
    try checkEmpty()
    let staging = try StagingFolder("_restore-", in: layout)
    defer { staging.remove() }
    try tar.extract(file, into: staging.path)
    let folder = "\(staging.path)/\(BackupContent.folder)"
    let names = try converting { () throws(SystemError) in try Folder.names(in: staging.path) }
    let manifest = try checkedManifest(in: folder, names: names)
    let databases = try checkedDatabases(manifest, below: folder)
    let (posts, heldPosts) = try checkedOutboxes(manifest, below: folder)
    let files = try privateFiles(manifest, in: folder, passphrase)
    let plan = try plan(databases, posts, files, below: folder)
    try journal.perform(plan)
    return Summary(
      manifest: manifest, databases: databases.count, tokens: files.entries(PrivateFiles.tokens).count,
      heldPosts: heldPosts)
  }

  /// - Throws: 73 if a configuration, a token, a database or a post already exists.
  private func checkEmpty() throws(BackupError) {
    var paths = [configurationPath]
    try converting { () throws(SystemError) in
      for account in try layout.accountFolders() {
        let files = layout.files(of: account)
        paths += [files.token, files.database]
        guard File.exists(files.outboxFolder) else { continue }
        paths += try Folder.names(in: files.outboxFolder).map { "\(files.outboxFolder)/\($0)" }
      }
    }
    if let path = paths.first(where: { File.exists($0) }) { throw RestoreJournal.refusal(path) }
  }

  // MARK: Checks

  private func checkedManifest(in folder: String, names: [String]) throws(BackupError) -> BackupManifest {
    guard names == [BackupContent.folder] else { throw BackupError(.badData, "this is not a homeline backup") }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try TrustedFile.read("\(folder)/\(BackupContent.manifest)", limit: BackupManifest.byteLimit)
    } catch { throw BackupError(.badData, "this is not a homeline backup: the manifest is missing") }
    let manifest = try BackupManifest(json: bytes)
    // There must be exactly the listed files, all of them regular files and none a link.
    var sizes: [String: Int] = [:]
    for file in manifest.files { sizes[file.path] = file.size }
    var found = try sizesOfFiles(in: folder, below: "")
    found[BackupContent.manifest] = nil
    guard found == sizes, sizes.count == manifest.files.count else {
      throw BackupError(.badData, "the backup is incomplete: its files differ from its manifest")
    }
    return manifest
  }

  private func sizesOfFiles(in folder: String, below prefix: String) throws(BackupError) -> [String: Int] {
    var sizes: [String: Int] = [:]
    let statuses = try converting { () throws(SystemError) in
      var statuses: [(String, FileStatus)] = []
      for name in try Folder.names(in: folder) { statuses.append((name, try FileStatus.ofLink("\(folder)/\(name)"))) }
      return statuses
    }
    for (name, status) in statuses {
      if status.isRegular {
        sizes[prefix + name] = status.size
      } else if status.isFolder {
        sizes.merge(try sizesOfFiles(in: "\(folder)/\(name)", below: "\(prefix)\(name)/")) { $1 }
      } else {
        throw BackupError(.badData, "the backup contains something other than files: \(prefix)\(name)")
      }
    }
    return sizes
  }

  /// The accounts with a database. Each database has been read completely.
  private func checkedDatabases(_ manifest: BackupManifest, below folder: String) throws(BackupError) -> [AccountName] {
    let copies = BackupContent.layout(below: folder)
    let storage = FileStorage(copies)
    var accounts: [AccountName] = []
    do throws(StorageError) {
      for account in try storage.accounts() {
        guard let database = try storage.openForReading(.home(of: account), isSnapshot: true) else {
          throw StorageError(.damaged, "the database of \(account) is not a homeline database")
        }
        defer { database.close() }
        let problems = try database.quickCheck()
        if let problem = problems.first {
          throw StorageError(.damaged, "the database of \(account) is damaged: \(problem)")
        }
        accounts.append(account)
      }
    } catch { throw BackupError(error.exitCode, "\(error)") }
    let known = Set(accounts.map { String(copies.files(of: $0.text).database.dropFirst(folder.count + 1)) })
    let others = manifest.files.map(\.path).filter {
      !known.contains($0) && Self.post($0) == nil && $0 != BackupContent.configuration && $0 != BackupContent.encrypted
    }
    if let other = others.first { throw BackupError(.badData, "the backup contains an unknown file: \(other)") }
    return accounts
  }

  /// The account and the id of a post, from the path of its record in the backup.
  private static func post(_ path: String) -> (account: AccountName, id: IntentID)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[..<2] == ["data", "homeline"], parts[3] == "outbox",
      let account = AccountName(String(parts[2])), let id = OutboxStore.id(ofFile: String(parts[4]))
    else { return nil }
    return (account, id)
  }

  /// The accounts with posts, and the number of posts that were waiting. All records are valid, and none is sent without the user.
  private func checkedOutboxes(
    _ manifest: BackupManifest, below folder: String
  ) throws(BackupError) -> (paths: [String], held: Int) {
    let posts = manifest.files.compactMap { file in Self.post(file.path).map { ($0.account, file.path) } }
    var held = 0
    do throws(StorageError) {
      for account in Set(posts.map(\.0)) {
        let outbox = FileStorage(BackupContent.layout(below: folder)).outbox(of: account)
        let content = try outbox.load(at: now)
        guard content.intents.count == posts.count(where: { $0.0 == account }) else {
          throw StorageError(.damaged, "posts in the outbox of \(account) cannot be read")
        }
        for intent in content.intents {
          let restored = intent.restored(at: now)
          if restored == intent { continue }
          held += 1
          try outbox.write(restored)
        }
      }
    } catch { throw BackupError(error.exitCode, "\(error)") }
    return (posts.map(\.1), held)
  }

  /// The configuration and, in a backup with tokens, the tokens and registrations. All of them are valid.
  private func privateFiles(
    _ manifest: BackupManifest, in folder: String, _ passphrase: () throws(BackupError) -> Secret
  ) throws(BackupError) -> PrivateFiles {
    var files = PrivateFiles()
    let name = manifest.hasTokens ? BackupContent.encrypted : BackupContent.configuration
    guard manifest.files.contains(where: { $0.path == name }) else {
      throw BackupError(.badData, "the backup has no configuration")
    }
    let bytes = try converting { () throws(SystemError) in
      try TrustedFile.read("\(folder)/\(name)", limit: PrivateFiles.byteLimit)
    }
    guard manifest.hasTokens else {
      files.texts[BackupContent.configuration] = String(decoding: bytes, as: UTF8.self)
      try checkConfiguration(files, manifest)
      return files
    }
    files = try PrivateFiles(json: try Self.decrypted(bytes, try passphrase()))
    try checkConfiguration(files, manifest)
    for (name, text) in files.entries(PrivateFiles.tokens) {
      do throws(StoredToken.FormatError) { _ = try StoredToken(json: Array(text.utf8)) } catch {
        throw BackupError(.badData, "the token of \(DisplayText.quoted(name)) cannot be read: \(error)")
      }
    }
    return files
  }

  private static func decrypted(_ bytes: [UInt8], _ passphrase: Secret) throws(BackupError) -> [UInt8] {
    do throws(EncryptionError) { return try PassphraseEncryption.decrypt(bytes, passphrase: passphrase) } catch {
      switch error {
      case .wrongPassphrase: throw BackupError(.notAuthorised, "the passphrase is wrong, or the backup is damaged")
      case .unknownFormat:
        throw BackupError(.badData, "the encrypted part is in a format that this version does not support")
      case .failed(let function): throw BackupError(.software, "the backup cannot be decrypted: \(function) failed")
      }
    }
  }

  private func checkConfiguration(_ files: PrivateFiles, _ manifest: BackupManifest) throws(BackupError) {
    guard let text = files.texts[BackupContent.configuration] else {
      throw BackupError(.badData, "the backup has no configuration")
    }
    do throws(SettingsError) { _ = try Configuration(reading: Array(text.utf8)) } catch {
      throw BackupError(
        .configuration,
        "this version does not accept the configuration in the backup, which homeline \(manifest.version) wrote: \(error)"
      )
    }
  }

  // MARK: Placement

  /// The steps that put all files in place. The configuration comes last: once it is there, the restoration is complete.
  private func plan(
    _ databases: [AccountName], _ posts: [String], _ files: PrivateFiles, below folder: String
  ) throws(BackupError) -> [RestoreJournal.Step] {
    let copies = BackupContent.layout(below: folder)
    var steps = databases.map { account in
      RestoreJournal.Step(
        .file(copies.files(of: account.text).database), to: layout.files(of: account.text).database)
    }
    for path in posts {
      guard let (account, id) = Self.post(path) else { continue }
      let target = "\(layout.files(of: account.text).outboxFolder)/\(OutboxStore.name(ofFile: id))"
      steps.append(RestoreJournal.Step(.file("\(folder)/\(path)"), to: target))
    }
    for (name, text) in files.entries(PrivateFiles.uploads) {
      let parts = name.split(separator: "/", maxSplits: 1).map { String($0) }
      guard parts.count == 2, let account = AccountName(parts[0]), UploadRecordFile.isName(parts[1]) else {
        throw BackupError(.badData, "\(DisplayText.quoted(name)) is not the record of an upload")
      }
      steps.append(RestoreJournal.Step(.text(text), to: "\(layout.files(of: account.text).stateFolder)/\(parts[1])"))
    }
    for (name, text) in files.entries(PrivateFiles.tokens) {
      guard let account = AccountName(name) else {
        throw BackupError(.badData, "\(DisplayText.quoted(name)) is not a valid account name")
      }
      steps.append(RestoreJournal.Step(.text(text), to: layout.files(of: account.text).token))
    }
    for (name, text) in files.entries(PrivateFiles.clients) {
      steps.append(RestoreJournal.Step(.text(text), to: layout.server(name).clients))
    }
    steps.append(RestoreJournal.Step(.text(files.texts[BackupContent.configuration] ?? ""), to: configurationPath))
    return steps
  }
}
