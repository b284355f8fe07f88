package import CivilTime
package import Files
internal import Glibc
package import HomelineOAuth
internal import Platform
internal import Settings
package import Storage
internal import StorageSQLite

/// Writes the configuration, the databases and, on request, the tokens into one file.
///
/// The databases can be in use. Only the owner of the state writes tokens, because a token would be useless in the backup
/// if another process renewed it at the same time.
package struct BackupWriter {
  /// What a backup that was written contains.
  package struct Summary: Sendable, Hashable {
    package var databases = 0
    package var tokens = 0
    /// The number of posts in outboxes.
    package var posts = 0
    /// Whether a token is renewed with a refresh token, which many servers replace at each renewal.
    package var hasRefreshTokens = false
  }

  private let layout: FileLayout
  private let storage: any StorageProvider
  private let configurationPath: String
  private let version: String
  private let now: Timestamp
  private let tar: TarProgram

  /// - Parameter environment: The environment for tar(1).
  package init(
    _ layout: FileLayout, _ storage: any StorageProvider, configurationPath: String, version: String, now: Timestamp,
    environment: [String: String]
  ) {
    self.layout = layout
    self.storage = storage
    self.configurationPath = configurationPath
    self.version = version
    self.now = now
    tar = TarProgram(environment: environment)
  }

  /// Writes a new file with mode 0600. If this fails, no file is left behind.
  /// - Parameter passphrase: Encrypts the tokens and the configuration. Nil leaves out the tokens and encrypts nothing.
  package func write(to file: String, passphrase: Secret?) throws(BackupError) -> Summary {
    guard !File.exists(file) else { throw BackupError(.cannotCreate, "\(file) already exists; choose a new file name") }
    let new = "\(file).new-\(getpid())"
    do throws(SystemError) {
      try Descriptor.open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600).close()
    } catch { throw BackupError(.cannotCreate, "\(error)") }
    do throws(BackupError) {
      let staging = try StagingFolder("_backup-", in: layout)
      defer { staging.remove() }
      let summary = try stage(in: "\(staging.path)/\(BackupContent.folder)", passphrase)
      try tar.create(new, of: BackupContent.folder, in: staging.path)
      try converting { () throws(SystemError) in
        try Descriptor.open(new, O_RDWR).sync()
        try File.rename(new, to: file)
        try Folder.sync(file.contains("/") ? Folder.parent(of: file) ?? "/" : ".")
      }
      return summary
    } catch {
      try? File.remove(new)
      throw error
    }
  }

  /// Writes the backup's content into a new folder.
  private func stage(in folder: String, _ passphrase: Secret?) throws(BackupError) -> Summary {
    var summary = Summary()
    let configuration = try converting { () throws(SystemError) in
      try Folder.create(folder)
      return try File.read(configurationPath, limit: Configuration.byteLimit)
    }
    let document: (name: String, bytes: [UInt8])
    if let passphrase {
      let files = try privateFiles(configuration, &summary)
      document = (BackupContent.encrypted, try Self.encrypted(files, passphrase))
    } else {
      document = (BackupContent.configuration, configuration)
    }
    let databases = try copyDatabases(below: folder)
    summary.databases = databases.count
    let outboxes = try copyOutboxes(below: folder, &summary)
    let files = [BackupManifest.File(path: document.name, size: document.bytes.count)] + databases + outboxes
    let manifest = BackupManifest(
      version: version, createdAt: now.rfc3339, hasTokens: passphrase != nil, files: files)
    try converting { () throws(SystemError) in
      try AtomicFile.write(document.bytes, to: "\(folder)/\(document.name)", .replaced)
      try AtomicFile.write(manifest.json, to: "\(folder)/\(BackupContent.manifest)", .replaced)
    }
    return summary
  }

  private func copyDatabases(below folder: String) throws(BackupError) -> [BackupManifest.File] {
    var files: [BackupManifest.File] = []
    let copies = BackupContent.layout(below: folder)
    do throws(StorageError) {
      for account in try storage.accounts() where storage.hasTimeline(.home(of: account)) {
        let copy = copies.files(of: account.text)
        do throws(SystemError) { try Folder.create(copy.dataFolder) } catch { throw StorageError(error) }
        try AccountDatabase.copy(layout.files(of: account.text), to: copy.database)
        let size: Int
        do throws(SystemError) { size = try FileStatus.of(copy.database).size } catch { throw StorageError(error) }
        files.append(BackupManifest.File(path: String(copy.database.dropFirst(folder.count + 1)), size: size))
      }
    } catch { throw BackupError(error.exitCode, "\(error)") }
    return files
  }

  /// Copies the records of posts. A record that is removed meanwhile is left out.
  private func copyOutboxes(below folder: String, _ summary: inout Summary) throws(BackupError) -> [BackupManifest.File]
  {
    var files: [BackupManifest.File] = []
    let copies = BackupContent.layout(below: folder)
    for account in try accountFolders() {
      let (source, copy) = (layout.files(of: account).outboxFolder, copies.files(of: account).outboxFolder)
      guard File.exists(source) else { continue }
      try converting { () throws(SystemError) in
        for name in try Folder.names(in: source) where OutboxStore.id(ofFile: name) != nil {
          guard let bytes = try Self.read("\(source)/\(name)") else { continue }
          try Folder.create(copy)
          try AtomicFile.write(bytes, to: "\(copy)/\(name)", .replaced)
          files.append(
            BackupManifest.File(path: String("\(copy)/\(name)".dropFirst(folder.count + 1)), size: bytes.count))
        }
      }
    }
    summary.posts = files.count
    return files
  }

  /// - Returns: nil if there is no such file.
  private static func read(_ path: String) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) { return try TrustedFile.read(path, limit: BackupManifest.byteLimit) } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  private func accountFolders() throws(BackupError) -> [String] {
    try converting { () throws(SystemError) in try layout.accountFolders() }
  }

  // MARK: Tokens

  /// The configuration, all tokens, and the client registrations for which OAuth 2.0 tokens were issued.
  private func privateFiles(_ configuration: [UInt8], _ summary: inout Summary) throws(BackupError) -> PrivateFiles {
    var files = PrivateFiles()
    files.texts[BackupContent.configuration] = String(decoding: configuration, as: UTF8.self)
    do throws(StorageError) {
      for account in try storage.accounts() {
        let tokens = storage.tokens(of: account)
        // A renewal whose response was stored but not yet applied.
        _ = try tokens.recover(at: now)
        guard let token = try tokens.read() else { continue }
        files.texts[PrivateFiles.tokens + account.text] = String(decoding: token.json, as: UTF8.self)
        summary.tokens += 1
        if token.grant.bearer?.refreshToken != nil { summary.hasRefreshTokens = true }
      }
    } catch { throw BackupError(error.exitCode, "\(error)") }
    try converting { () throws(SystemError) in
      for server in try layout.knownServers() where File.exists(server.clients) {
        let name = String(server.folder.split(separator: "/").last ?? "")
        let bytes = try File.read(server.clients, limit: BackupManifest.byteLimit)
        files.texts[PrivateFiles.clients + name] = String(decoding: bytes, as: UTF8.self)
      }
    }
    for account in try accountFolders() {
      let folder = layout.files(of: account).stateFolder
      guard File.exists(folder) else { continue }
      try converting { () throws(SystemError) in
        for name in try Folder.names(in: folder) where UploadRecordFile.isName(name) {
          guard let bytes = try Self.read("\(folder)/\(name)") else { continue }
          files.texts["\(PrivateFiles.uploads)\(account)/\(name)"] = String(decoding: bytes, as: UTF8.self)
        }
      }
    }
    return files
  }

  private static func encrypted(_ files: PrivateFiles, _ passphrase: Secret) throws(BackupError) -> [UInt8] {
    do throws(EncryptionError) { return try PassphraseEncryption.encrypt(files.json, passphrase: passphrase) } catch {
      throw BackupError(.software, "the tokens cannot be encrypted: \(error)")
    }
  }
}
