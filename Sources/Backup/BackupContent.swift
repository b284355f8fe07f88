internal import Files
internal import JSON
package import Platform
internal import Settings

/// The structure of a backup: a gzip-compressed tar archive that contains one folder.
///
/// | path | content |
/// | --- | --- |
/// | `manifest.json` | the version, the time and the list of all other files with their sizes |
/// | `config.json` | the configuration; only in a backup without tokens |
/// | `config.d/ACCOUNT.json` | an account that a command added; only in a backup without tokens |
/// | `data/homeline/ACCOUNT/timeline.db` | an account's database |
/// | `data/homeline/ACCOUNT/outbox/ID.json` | a post in an account's outbox |
/// | `data/homeline/ACCOUNT/outbox/ID-N` | a file of a post that may still be sent, as it would be sent |
/// | `private` | configuration, tokens and registrations, encrypted; only in a backup with tokens |
enum BackupContent {
  /// The folder in the tar archive.
  static let folder = "homeline-backup"
  static let manifest = "manifest.json"
  static let configuration = "config.json"
  /// The prefix of the accounts' own files.
  static let accounts = "config.d/"
  static let encrypted = "private"

  /// Returns the layout of the databases below a folder. It is the same as in an installation.
  static func layout(below folder: String) -> FileLayout {
    let variables = ["HOME": folder, "XDG_DATA_HOME": "\(folder)/data"]
    guard let folders = BaseDirectories(environment: variables) else {
      preconditionFailure("the path of the staging folder is absolute")
    }
    return FileLayout(folders)
  }
}

/// The list of the files in a backup.
package struct BackupManifest: Sendable, Hashable {
  /// The newest schema. In schema 1, accounts had no files of their own.
  static let newestSchema: Int64 = 2
  /// The manifest's size limit in bytes, enough for a few thousand accounts.
  static let byteLimit = 1 << 20

  struct File: Sendable, Hashable {
    /// The path, relative to the backup's folder.
    var path: String
    /// The size in bytes.
    var size: Int
  }

  /// The version of the program that wrote the backup.
  package var version: String
  /// The time when the backup was written (RFC 3339).
  var createdAt: String
  package var hasTokens: Bool
  /// Whether accounts have files of their own. Schema 1 did not support such files.
  var hasAccountFiles: Bool
  var files: [File]

  var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", hasAccountFiles ? Self.newestSchema : 1)
      json.member("version", version)
      json.member("created_at", createdAt)
      json.member("tokens", hasTokens)
      json.member("files", list: files) { json, file in
        json.object { json in
          json.member("path", file.path)
          json.member("size", file.size)
        }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  init(version: String, createdAt: String, hasTokens: Bool, hasAccountFiles: Bool, files: [File]) {
    self.version = version
    self.createdAt = createdAt
    self.hasTokens = hasTokens
    self.hasAccountFiles = hasAccountFiles
    self.files = files
  }

  init(json bytes: [UInt8]) throws(BackupError) {
    var schema: Int64?
    var manifest = BackupManifest(version: "", createdAt: "", hasTokens: false, hasAccountFiles: false, files: [])
    do {
      var cursor = JSONCursor(bytes, maximalDepth: 8)
      try cursor.members { json, name in
        switch name {
        case "schema": schema = try json.integer(in: 0...Int64.max)
        case "version": manifest.version = try json.string()
        case "created_at": manifest.createdAt = try json.string()
        case "tokens": manifest.hasTokens = try json.boolean()
        case "files": manifest.files = try json.list { json in try File(&json) }
        default: try json.skip()
        }
      }
      try cursor.end()
    } catch { throw BackupError(.badData, "the manifest cannot be read: \(error)") }
    guard let schema else { throw BackupError(.badData, "the manifest has no schema") }
    manifest.hasAccountFiles = schema > 1
    guard (1...Self.newestSchema).contains(schema) else {
      throw BackupError(
        .configuration, "it was written by homeline \(manifest.version) in a format that this version does not support")
    }
    self = manifest
  }
}

extension BackupManifest.File {
  init(_ json: inout JSONCursor) throws {
    self.init(path: "", size: -1)
    try json.members { json, name in
      switch name {
      case "path": path = try json.string()
      case "size": size = try json.integer(in: 0...Int(JSONNumber.largest))
      default: try json.skip()
      }
    }
  }
}

/// The secret part of a backup: small text files, identified by name.
struct PrivateFiles: Sendable {
  /// The size limit of the encrypted file in bytes.
  static let byteLimit = 64 << 20

  /// `config.json`, `config.d/ACCOUNT.json`, `tokens/ACCOUNT`, `clients/SERVER` and `uploads/ACCOUNT/NAME`, each with its text.
  var texts: [String: String] = [:]

  /// The prefixes of the names.
  static let tokens = "tokens/"
  static let clients = "clients/"
  static let uploads = "uploads/"

  /// Returns all files whose names begin with a prefix, sorted by name: each file's name without the prefix, and its text.
  func entries(_ prefix: String) -> [(name: String, text: String)] {
    texts.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
      .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
  }

  init() {}

  /// The configuration files.
  var configuration: ConfigurationTexts {
    get {
      let main = texts[BackupContent.configuration].map {
        ConfigurationText(path: BackupContent.configuration, Array($0.utf8))
      }
      let accounts = entries(BackupContent.accounts).map { name, text in
        ConfigurationTexts.Account(
          name: String(name.dropLast(".json".count)),
          ConfigurationText(path: BackupContent.accounts + name, Array(text.utf8)))
      }
      return ConfigurationTexts(main: main, accounts: main == nil || !accounts.isEmpty ? accounts : nil)
    }
    set {
      texts[BackupContent.configuration] = newValue.main.map { String(decoding: $0.bytes, as: UTF8.self) }
      for account in newValue.accounts ?? [] {
        texts["\(BackupContent.accounts)\(account.name).json"] = String(decoding: account.text.bytes, as: UTF8.self)
      }
    }
  }

  /// Returns whether a file in a backup without tokens belongs to the configuration.
  static func isConfiguration(_ path: String) -> Bool {
    if path == BackupContent.configuration { return true }
    guard path.hasPrefix(BackupContent.accounts), path.hasSuffix(".json") else { return false }
    return AccountName(String(path.dropFirst(BackupContent.accounts.count).dropLast(".json".count))) != nil
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { json in for (name, text) in texts.sorted(by: { $0.key < $1.key }) { json.member(name, text) } }
    return writer.bytes
  }

  init(json bytes: [UInt8]) throws(BackupError) {
    do {
      var cursor = JSONCursor(bytes, maximalDepth: 4)
      try cursor.members { json, name in texts[name.text] = try json.string() }
      try cursor.end()
    } catch { throw BackupError(.badData, "the encrypted part cannot be read: \(error)") }
  }
}

/// The reason a backup could not be written or restored.
package struct BackupError: UserFacingError, Hashable {
  package let exitCode: ExitCode
  package let message: String

  package init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  package init(_ error: some UserFacingError) { self.init(error.exitCode, "\(error)") }
}

/// Runs file operations and converts their errors.
func converting<Value>(_ body: () throws(SystemError) -> Value) throws(BackupError) -> Value {
  do throws(SystemError) { return try body() } catch { throw BackupError(error) }
}
