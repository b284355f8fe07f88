internal import Files
internal import JSON
package import Platform

/// The structure of a backup: a gzip-compressed tar archive that contains one folder.
///
/// | path | content |
/// | --- | --- |
/// | `manifest.json` | the version, the time and the list of all other files with their sizes |
/// | `config.json` | the configuration; only in a backup without tokens |
/// | `data/homeline/ACCOUNT/timeline.db` | an account's database |
/// | `data/homeline/ACCOUNT/outbox/ID.json` | a post in an account's outbox |
/// | `private` | configuration, tokens and registrations, encrypted; only in a backup with tokens |
enum BackupContent {
  /// The folder in the tar archive.
  static let folder = "homeline-backup"
  static let manifest = "manifest.json"
  static let configuration = "config.json"
  static let encrypted = "private"

  /// The layout of databases below a folder. It is the same as in an installation.
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
  static let schema: Int64 = 1
  /// The size limit of the file in bytes: a few thousand accounts need less.
  static let byteLimit = 1 << 20

  struct File: Sendable, Hashable {
    /// Relative to the backup's folder.
    var path: String
    /// In bytes.
    var size: Int
  }

  /// The version of the program that wrote the backup.
  package var version: String
  /// RFC 3339.
  package var createdAt: String
  package var hasTokens: Bool
  var files: [File]

  var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", Self.schema)
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

  init(version: String, createdAt: String, hasTokens: Bool, files: [File]) {
    self.version = version
    self.createdAt = createdAt
    self.hasTokens = hasTokens
    self.files = files
  }

  init(json bytes: [UInt8]) throws(BackupError) {
    var schema: Int64?
    var manifest = BackupManifest(version: "", createdAt: "", hasTokens: false, files: [])
    do {
      var cursor = JSONCursor(bytes, maximalDepth: 8)
      try cursor.members { json, name in
        switch name {
        case "schema": schema = try json.integer()
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
    guard schema == Self.schema else {
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
      case "size": size = Int(clamping: try json.integer())
      default: try json.skip()
      }
    }
  }
}

/// The secret part of a backup: small text files, identified by name.
struct PrivateFiles: Sendable {
  /// The size limit of the encrypted file in bytes.
  static let byteLimit = 64 << 20

  /// `config.json`, `tokens/ACCOUNT`, `clients/SERVER` and `uploads/ACCOUNT/NAME`, each with its text.
  var texts: [String: String] = [:]

  /// The prefixes of the names.
  static let tokens = "tokens/"
  static let clients = "clients/"
  static let uploads = "uploads/"

  /// The sorted names of the files with this prefix, without the prefix, and their texts.
  func entries(_ prefix: String) -> [(name: String, text: String)] {
    texts.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
      .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
  }

  init() {}

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

/// A backup could not be written or restored.
package struct BackupError: Error, Sendable, Hashable, CustomStringConvertible {
  package let code: ExitCode
  package let description: String

  package init(_ code: ExitCode, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: SystemError) { self.init(.inputOutput, "\(error)") }
}

/// Runs file operations and converts their errors.
func converting<Value>(_ body: () throws(SystemError) -> Value) throws(BackupError) -> Value {
  do throws(SystemError) { return try body() } catch { throw BackupError(error) }
}
