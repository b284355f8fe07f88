package import Bytes
package import Folders
internal import Glibc
internal import Platform
internal import Settings
internal import Storage
internal import StorageFiles
internal import StorageSQLite
package import Time

/// Reads a backup, checks everything in it, and puts its files in place.
package struct BackupReader {
  private let layout: FileLayout
  private let configuration: ConfigurationFiles
  private let now: Timestamp
  private let tar: TarProgram

  /// - Parameters:
  ///   - configuration: the files that the configuration is restored to.
  ///   - environment: the environment for tar(1).
  package init(_ layout: FileLayout, configuration: ConfigurationFiles, now: Timestamp, environment: [String: String]) {
    self.layout = layout
    self.now = now
    self.configuration = configuration
    tar = TarProgram(environment: environment)
  }

  /// The checked content of a backup.
  package struct Summary: Sendable, Hashable {
    package let manifest: BackupManifest
    package let databases: Int
    package let tokens: Int
    /// The number of posts that were waiting in an outbox. It is unknown whether they have been published since.
    package let heldPosts: Int
    /// The files of these posts that are missing from the backup.
    package let missingFiles: [String]
  }

  /// Restores a backup. The caller must own the state.
  /// - Parameter passphrase: returns the passphrase; called only if the backup is encrypted.
  /// - Throws: `BackupError` if nothing was restored; the installation is then as empty as before.
  package func restore(
    _ file: String, passphrase: () throws(BackupError) -> Secret
  ) throws(BackupError) -> Summary {
    let archive = try Self.opened(file)
    let size = try converting { () throws(SystemError) in try FileStatus.of(archive, path: file).size }
    let journal = RestoreJournal(layout)
    try journal.undoInterrupted()
    try checkEmpty()
    let staging = try StagingFolder(FileLayout.restorePrefix, in: layout)
    defer { staging.remove() }
    try tar.extract(archive, limit: TarProgram.limit(ofSize: size), into: staging.path)
    let folder = "\(staging.path)/\(BackupContent.folder)"
    let names = try converting { () throws(SystemError) in try Folder.names(in: staging.path) }
    let manifest = try checkedManifest(in: folder, names: names)
    let databases = try checkedDatabases(manifest, below: folder)
    let posts = try BackupOutbox.Reader(
      manifest.files.compactMap { BackupOutbox.Entry(path: $0.path) }, in: BackupContent.layout(below: folder),
      to: layout, at: now)
    let files = try privateFiles(manifest, in: folder, passphrase)
    let plan = try plan(databases, posts.steps, files, below: folder)
    try journal.perform(plan)
    return Summary(
      manifest: manifest, databases: databases.count, tokens: files.entries(PrivateFiles.tokens).count,
      heldPosts: posts.held, missingFiles: posts.missing)
  }

  /// Opens a backup without waiting, even if something else has its name.
  private static func opened(_ file: String) throws(BackupError) -> Descriptor {
    do throws(SystemError) {
      if try FileStatus.of(file).isRegular { return try TrustedFile.open(file, O_RDONLY) }
    } catch {
      throw BackupError(.badData, error.isNoEntry ? "there is no such file" : "it cannot be read: \(error.reason)")
    }
    throw BackupError(.badData, "it is not a regular file")
  }

  /// Checks that no configuration, token, database or post exists yet.
  private func checkEmpty() throws(BackupError) {
    var paths = [configuration.path]
    try converting { () throws(SystemError) in
      if File.exists(configuration.accountFolder) {
        paths += try Folder.names(in: configuration.accountFolder).map { "\(configuration.accountFolder)/\($0)" }
      } else {
        // It can be a dangling link.
        paths.append(configuration.accountFolder)
      }
      for account in try layout.accountFolders() {
        let files = layout.files(of: account)
        paths += [files.token, files.database]
        guard File.exists(files.outboxFolder) else { continue }
        paths += try Folder.names(in: files.outboxFolder).map { "\(files.outboxFolder)/\($0)" }
      }
    }
    if let use = paths.lazy.compactMap({ FreeName.use(of: $0) }).first { throw RestoreJournal.refusal(use) }
  }

  // MARK: Checks

  private func checkedManifest(in folder: String, names: [String]) throws(BackupError) -> BackupManifest {
    guard names == [BackupContent.folder] else { throw BackupError(.badData, "this is not a homeline backup") }
    // Before anything is opened, all files are checked to be regular: root's tar also creates devices.
    var found = try sizesOfFiles(in: folder, below: "")
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try TrustedFile.read("\(folder)/\(BackupContent.manifest)", limit: BackupManifest.byteLimit)
    } catch { throw BackupError(.badData, "this is not a homeline backup: the manifest is missing") }
    let manifest = try BackupManifest(json: bytes)
    // The folder must contain exactly the listed files, all of them regular files.
    var sizes: [String: Int] = [:]
    for file in manifest.files { sizes[file.path] = file.size }
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

  /// Returns the accounts that have a database, after checking each database completely.
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
          throw StorageError(.damaged, "the database of \(account) is corrupt: \(problem)")
        }
        accounts.append(account)
      }
    } catch { throw BackupError(error) }
    let known = Set(accounts.map { String(copies.files(of: $0.text).database.dropFirst(folder.count + 1)) })
    let others = manifest.files.map(\.path).filter {
      !known.contains($0) && BackupOutbox.Entry(path: $0) == nil && !PrivateFiles.isConfiguration($0)
        && $0 != BackupContent.encrypted
    }
    if let other = others.first { throw BackupError(.badData, "the backup contains an unknown file: \(other)") }
    return accounts
  }

  /// Returns the configuration and, from a backup with tokens, the tokens and registrations, after checking that all of them are valid.
  private func privateFiles(
    _ manifest: BackupManifest, in folder: String, _ passphrase: () throws(BackupError) -> Secret
  ) throws(BackupError) -> PrivateFiles {
    var files = PrivateFiles()
    let names = manifest.files.map(\.path).filter {
      manifest.hasTokens ? $0 == BackupContent.encrypted : PrivateFiles.isConfiguration($0)
    }
    for name in names {
      let bytes = try converting { () throws(SystemError) in
        try TrustedFile.read("\(folder)/\(name)", limit: PrivateFiles.byteLimit)
      }
      if manifest.hasTokens {
        files = try PrivateFiles(json: try Self.decrypted(bytes, try passphrase()))
      } else {
        files.texts[name] = String(decoding: bytes, as: UTF8.self)
      }
    }
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
      case .wrongPassphrase: throw BackupError(.notAuthorised, "the passphrase is wrong, or the backup is corrupt")
      case .unknownFormat:
        throw BackupError(.badData, "the encrypted part is in a format that this version does not support")
      case .tooCostly:
        throw BackupError(
          .badData,
          "the encrypted part demands more memory or time for its passphrase than this version allows. A backup by "
            + "homeline does not, so this one was changed or written by something else")
      case .failed(let function): throw BackupError(.software, "the backup cannot be decrypted: \(function) failed")
      }
    }
  }

  private func checkConfiguration(_ files: PrivateFiles, _ manifest: BackupManifest) throws(BackupError) {
    let texts = files.configuration
    guard texts.main != nil || texts.accounts?.isEmpty == false else {
      throw BackupError(.badData, "the backup has no configuration")
    }
    do throws(SettingsError) { _ = try Configuration(reading: texts) } catch {
      throw BackupError(
        .configuration,
        "this version does not accept the configuration in the backup, which homeline \(manifest.version) wrote: \(error)"
      )
    }
  }

  // MARK: Placement

  /// Returns the steps that put all files in place. The configuration is last: once it exists, the restore is complete.
  private func plan(
    _ databases: [AccountName], _ posts: [RestoreJournal.Step], _ files: PrivateFiles, below folder: String
  ) throws(BackupError) -> [RestoreJournal.Step] {
    let copies = BackupContent.layout(below: folder)
    var steps = databases.map { account in
      RestoreJournal.Step(
        .file(copies.files(of: account.text).database), to: layout.files(of: account.text).database)
    }
    steps += posts
    for (name, text) in files.entries(PrivateFiles.uploads) {
      let parts = name.split(separator: "/", maxSplits: 1).map { String($0) }
      guard parts.count == 2, let account = AccountName(parts[0]), UploadRecordFile.isName(parts[1]) else {
        throw BackupError(.badData, "\(DisplayText.quoted(name)) is not an upload record")
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
    for (name, text) in files.entries(BackupContent.accounts) {
      guard let account = AccountName(String(name.dropLast(".json".count))) else {
        throw BackupError(.badData, "\(DisplayText.quoted(name)) does not belong to an account")
      }
      steps.append(RestoreJournal.Step(.text(text), to: configuration.ownFile(of: account)))
    }
    if let text = files.texts[BackupContent.configuration] {
      steps.append(RestoreJournal.Step(.text(text), to: configuration.path))
    }
    return steps
  }
}
