internal import Glibc
package import Platform
package import Settings

/// The files of a configuration: `config.json`, which the user writes, and `config.d/NAME.json` for each account that a command added.
///
/// Only the `homeline` program writes these files. The service reads them when it starts and at each reload.
package struct ConfigurationFiles: Sendable, Hashable {
  /// The maximum number of files in the folder.
  static let mostAccounts = 4096

  /// The path of `config.json`.
  package let path: String
  /// The folder of the accounts' own files.
  package let accountFolder: String

  /// - Parameters:
  ///   - given: The value of `--config`. Its folder is `FILE.d`, unless it is the user's own configuration.
  package init(_ given: String?, in folders: BaseDirectories) {
    let usual = "\(folders.config)/homeline/config.json"
    path = given ?? usual
    let isUsual = given == nil || Self.identity(of: path) == Self.identity(of: usual)
    accountFolder = isUsual ? "\(folders.config)/homeline/config.d" : "\(path).d"
  }

  /// Whether these are the user's own files, not others that `--config` names.
  package var isUsual: Bool { accountFolder != "\(path).d" }

  /// The absolute path without symbolic links, which is the same for every path to the same configuration, even if `config.json` does not
  /// exist.
  package var identity: String { Self.identity(of: path) }

  /// Whether there is a configuration, even if only a dangling link shows this.
  package var exist: Bool { FreeName.isTaken(path) || FreeName.isTaken(accountFolder) }

  /// `config.json` if it exists, otherwise the folder of the accounts' files.
  package var shownPath: String { File.exists(path) || !File.exists(accountFolder) ? path : accountFolder }

  /// Returns the path of an account's own file, whether or not it exists.
  package func ownFile(of account: AccountName) -> String { "\(accountFolder)/\(account).json" }

  /// Returns the path of the file that contains an account.
  package func file(of account: AccountName) -> String {
    let own = ownFile(of: account)
    return File.exists(own) ? own : path
  }

  /// Reads all files.
  /// - Throws: ENOENT for `config.json` if there is no configuration; EEXIST if there is only a dangling link.
  package func texts() throws(SystemError) -> ConfigurationTexts {
    let accounts = try accountFiles()
    do throws(SystemError) {
      let main = ConfigurationText(path: path, try File.read(path, limit: Configuration.byteLimit))
      return ConfigurationTexts(main: main, accounts: accounts)
    } catch {
      try FreeName.refuseDanglingLink(path)
      guard error.isNoEntry, let accounts else { throw error }
      return ConfigurationTexts(main: nil, accounts: accounts)
    }
  }

  /// Returns the accounts' own files; `nil` if the folder does not exist.
  private func accountFiles() throws(SystemError) -> [ConfigurationTexts.Account]? {
    let names: [String]
    do throws(SystemError) { names = try Folder.names(in: accountFolder) } catch {
      try FreeName.refuseDanglingLink(accountFolder)
      if error.isNoEntry { return nil }
      throw error
    }
    let files = names.filter(Self.isAccountFile)
    guard files.count <= Self.mostAccounts else {
      throw SystemError(
        call: "opendir", code: EFBIG, subject: accountFolder,
        finding: "contains \(files.count) accounts; at most \(Self.mostAccounts) are allowed")
    }
    var accounts: [ConfigurationTexts.Account] = []
    for file in files {
      let path = "\(accountFolder)/\(file)"
      let bytes: [UInt8]
      do throws(SystemError) { bytes = try TrustedFile.read(path, limit: Configuration.byteLimit) } catch {
        if error.isNoEntry { try Self.explainMissing(path) }
        throw error
      }
      accounts.append(ConfigurationTexts.Account(name: String(file.dropLast(5)), ConfigurationText(path: path, bytes)))
    }
    return accounts
  }

  /// - Throws: the reason a listed file cannot be found, if it is known.
  private static func explainMissing(_ path: String) throws(SystemError) {
    try FreeName.refuseDanglingLink(path)
    if path.contains("\\x") {
      throw SystemError(
        call: "open", code: EILSEQ, subject: path,
        finding: "the name is not UTF-8; an account's file has a name such as work.json")
    }
  }

  /// Editors' backups and lock files, and files left behind by killed commands, are not accounts.
  private static func isAccountFile(_ name: String) -> Bool { name.hasSuffix(".json") && !name.hasPrefix(".") }

  private static func identity(of path: String) -> String {
    if File.exists(path) { return File.realPath(path) }
    guard let folder = Folder.parent(of: path) else { return "\(File.realPath("."))/\(path)" }
    return "\(File.realPath(folder))/\(path.dropFirst(folder.utf8.count + 1))"
  }
}

extension ConfigurationFiles {
  /// Writes a new `config.json` with mode 0600.
  /// - Throws: EEXIST if its name is not free.
  package func create(_ text: [UInt8]) throws(SystemError) {
    try FreeName.require(path)
    if let folder = Folder.parent(of: path) { try Folder.create(folder) }
    try Self.write(text, asNew: path)
  }

  /// Writes an account's own file with mode 0600, and its folder with mode 0700.
  /// - Throws: EEXIST if the name of the account's file is not free.
  package func add(_ account: AccountName, _ text: [UInt8]) throws(SystemError) {
    let file = ownFile(of: account)
    try FreeName.require(file)
    try Folder.create(accountFolder)
    try AtomicFile.removeAbandoned(in: accountFolder)
    try Self.write(text, asNew: file)
  }

  /// Writes the files that have changed, and removes the files of accounts that no longer exist.
  /// - Parameter old: The files as they were read.
  package func replace(_ old: ConfigurationTexts, with new: ConfigurationTexts) throws(SystemError) {
    if let main = new.main, main.bytes != old.main?.bytes { try Self.write(main.bytes, to: path) }
    for account in old.accounts ?? [] {
      let file = "\(accountFolder)/\(account.name).json"
      guard let changed = new.accounts?.first(where: { $0.name == account.name }) else {
        try File.remove(file)
        try Folder.sync(accountFolder)
        continue
      }
      if changed.text.bytes != account.text.bytes { try Self.write(changed.text.bytes, to: file) }
    }
  }

  /// Removes files that killed commands left behind next to `config.json`.
  package func removeLeftovers() throws(SystemError) { try AtomicFile.removeLeftovers(of: File.realPath(path)) }

  /// Replaces the file. If the path is a symbolic link, the link's target is replaced.
  private static func write(_ text: [UInt8], to path: String) throws(SystemError) {
    let path = identity(of: path)
    try AtomicFile.removeLeftovers(of: path)
    try AtomicFile.write(text, to: path, .synced)
  }

  /// Writes a file whose name is free. A file that appears there meanwhile is kept.
  private static func write(_ text: [UInt8], asNew path: String) throws(SystemError) {
    let path = identity(of: path)
    try AtomicFile.removeLeftovers(of: path)
    try AtomicFile.create(text, at: path)
  }
}
