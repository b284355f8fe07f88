internal import JSON
internal import Platform

/// The list of the files in a backup.
package struct BackupManifest: Sendable, Hashable {
  /// The newest schema. In schema 1, accounts did not have their own files.
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
  /// Whether accounts have their own files. Schema 1 did not support such files.
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
