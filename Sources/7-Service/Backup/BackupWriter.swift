package import Bytes
package import Folders
internal import Glibc
internal import Platform
internal import Settings
package import Storage
internal import StorageFiles
internal import StorageSQLite
package import Time

/// Writes the configuration, the databases and, on request, the tokens into one file.
///
/// The databases may be in use. Only the state owner may back up tokens: if another process renewed a token at the same
/// time, the copy in the backup would be useless.
package struct BackupWriter {
  /// The contents of a backup that has been written.
  package struct Summary: Sendable, Hashable {
    package var databases = 0
    package var tokens = 0
    /// The number of posts in outboxes.
    package var posts = 0
    /// The posts and attached files that could not be read, each with the reason.
    package var missing: [String] = []
    /// Whether any token is renewed with a refresh token. Many servers replace a refresh token at each renewal.
    package var hasRefreshTokens = false
  }

  private let layout: FileLayout
  private let storage: any StorageProvider
  private let configuration: ConfigurationFiles
  private let version: String
  private let now: Timestamp
  private let tar: TarProgram

  /// - Parameter environment: the environment for tar(1).
  package init(
    _ layout: FileLayout, _ storage: any StorageProvider, configuration: ConfigurationFiles, version: String,
    now: Timestamp,
    environment: [String: String]
  ) {
    self.layout = layout
    self.storage = storage
    self.configuration = configuration
    self.version = version
    self.now = now
    tar = TarProgram(environment: environment)
  }

  /// Writes a new file with mode 0600. If this fails, no file is left behind.
  /// - Parameter passphrase: encrypts the tokens and the configuration. If nil, the backup contains no tokens and is not encrypted.
  package func write(to file: String, passphrase: Secret?) throws(BackupError) -> Summary {
    if let use = FreeName.use(of: file) { throw BackupError(.cannotCreate, "\(use); choose a new file name") }
    if let folder = Folder.parent(of: file), !File.exists(folder) {
      throw BackupError(.cannotCreate, "there is no folder \(folder)")
    }
    let new = "\(file).new-\(getpid())"
    let archive: Descriptor
    do throws(SystemError) {
      try AtomicFile.removeAbandoned(of: file)
      archive = try Descriptor.open(new, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    } catch { throw BackupError(.cannotCreate, "\(error)") }
    do throws(BackupError) {
      let staging = try StagingFolder(FileLayout.backupPrefix, in: layout)
      defer { staging.remove() }
      let summary = try stage(in: "\(staging.path)/\(BackupContent.folder)", passphrase)
      try tar.create(archive, of: BackupContent.folder, in: staging.path)
      do throws(SystemError) {
        try archive.sync()
        try FreeName.move(new, to: file)
      } catch { throw BackupError(error.isExisting ? .cannotCreate : error.exitCode, "\(error)") }
      try converting { () throws(SystemError) in
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
    let texts = try converting { () throws(SystemError) in
      try Folder.create(folder)
      return try configuration.texts()
    }
    var files = PrivateFiles()
    files.configuration = texts
    let documents: [(name: String, bytes: [UInt8])]
    if let passphrase {
      try addTokens(to: &files, &summary)
      documents = [(BackupContent.encrypted, try Self.encrypted(files, passphrase))]
    } else {
      documents = files.entries("").map { ($0.name, Array($0.text.utf8)) }
    }
    let databases = try copyDatabases(below: folder)
    summary.databases = databases.count
    let outboxes = try copyOutboxes(below: folder, &summary)
    let listed = documents.map { BackupManifest.File(path: $0.name, size: $0.bytes.count) } + databases + outboxes
    let manifest = BackupManifest(
      version: version, createdAt: now.rfc3339, hasTokens: passphrase != nil,
      hasAccountFiles: texts.main == nil || texts.accounts?.isEmpty == false, files: listed)
    try converting { () throws(SystemError) in
      for document in documents {
        let path = "\(folder)/\(document.name)"
        try Folder.create(Folder.parent(of: path) ?? folder)
        try AtomicFile.write(document.bytes, to: path, .replaced)
      }
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
    } catch { throw BackupError(error) }
    return files
  }

  private func copyOutboxes(below folder: String, _ summary: inout Summary) throws(BackupError) -> [BackupManifest.File]
  {
    let copies = BackupContent.layout(below: folder)
    var outboxes = BackupOutbox.Writer()
    var files: [BackupManifest.File] = []
    for account in try accountFolders() {
      let copy = copies.files(of: account)
      try outboxes.copy(layout.files(of: account), to: copy, at: now)
      guard File.exists(copy.outboxFolder) else { continue }
      try converting { () throws(SystemError) in
        for name in try Folder.names(in: copy.outboxFolder) {
          let path = "\(copy.outboxFolder)/\(name)"
          files.append(
            BackupManifest.File(path: String(path.dropFirst(folder.count + 1)), size: try FileStatus.of(path).size))
        }
      }
    }
    summary.posts = outboxes.posts
    summary.missing = outboxes.missing
    return files
  }

  /// Returns a file's content; nil if the file does not exist.
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

  /// Adds all tokens, the client registrations that OAuth 2.0 tokens were issued to, and the records of uploads.
  private func addTokens(to files: inout PrivateFiles, _ summary: inout Summary) throws(BackupError) {
    do throws(StorageError) {
      for account in try storage.accounts() {
        let tokens = storage.tokens(of: account)
        // Complete a renewal whose response was stored but not yet applied.
        _ = try tokens.recover(at: now)
        guard let token = try tokens.read() else { continue }
        files.texts[PrivateFiles.tokens + account.text] = String(decoding: token.json, as: UTF8.self)
        summary.tokens += 1
        if token.grant.bearer?.refreshToken != nil { summary.hasRefreshTokens = true }
      }
    } catch { throw BackupError(error) }
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
  }

  private static func encrypted(_ files: PrivateFiles, _ passphrase: Secret) throws(BackupError) -> [UInt8] {
    do throws(EncryptionError) { return try PassphraseEncryption.encrypt(files.json, passphrase: passphrase) } catch {
      throw BackupError(.software, "the tokens cannot be encrypted: \(error)")
    }
  }
}
