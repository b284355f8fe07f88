package import Platform
package import Settings

extension FileLayout {
  /// Returns the accounts that have a token or a database, sorted.
  package func accounts() throws(SystemError) -> [AccountName] {
    var found: Set<AccountName> = []
    for folder in [stateFolder, dataFolder] where File.exists(folder) {
      for name in try Folder.names(in: folder).compactMap({ AccountName($0) }) {
        let files = files(of: name.text)
        if File.exists(files.token) || File.exists(files.database) { found.insert(name) }
      }
    }
    return found.sorted { $0.text < $1.text }
  }
}
