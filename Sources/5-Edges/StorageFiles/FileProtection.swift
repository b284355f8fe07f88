package import Folders
internal import Platform
package import Settings
package import Storage

/// The protection of all tokens below a state folder.
package struct FileProtection: ProtectedStorage {
  let layout: FileLayout
  let vault: TokenVault

  package init(layout: FileLayout, vault: TokenVault) {
    self.layout = layout
    self.vault = vault
  }

  package var current: TokenProtection { vault.protection }

  package func adopt(_ protection: TokenProtection) { vault.adopt(protection) }

  package func readKeyAgain() throws(StorageError) { try vault.readKeyAgain() }

  package func onKeyAvailable(_ body: @escaping @Sendable () -> Void) { vault.onKeyAvailable(body) }

  package func removeKey() throws(StorageError) -> [String] {
    let encrypted: [String]
    do throws(SystemError) { encrypted = try encryptedFiles() } catch { throw StorageError(error) }
    if encrypted.isEmpty { try vault.removeKeys() }
    return encrypted
  }

  /// Returns all accounts' encrypted files, including those in set-aside folders of previous users.
  private func encryptedFiles() throws(SystemError) -> [String] {
    guard File.exists(layout.stateFolder) else { return [] }
    var found: [String] = []
    for name in try Folder.names(in: layout.stateFolder) {
      let folder = "\(layout.stateFolder)/\(name)"
      guard (try? FileStatus.of(folder))?.isFolder == true else { continue }
      for file in try Folder.names(in: folder) where file.hasPrefix("token.json") {
        let path = "\(folder)/\(file)"
        // A file that cannot be read may be encrypted.
        let bytes = try TrustedFile.read(path, limit: 65536)
        if (try? SealedToken(json: bytes)) != nil { found.append(path) }
      }
    }
    return found
  }
}
