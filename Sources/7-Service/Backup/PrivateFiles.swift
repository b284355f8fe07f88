internal import JSON
internal import Platform
internal import Settings

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
