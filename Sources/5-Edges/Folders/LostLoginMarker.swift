internal import Platform

/// An empty file next to an account's database. It shows that the desktop has already announced that the account needs a new login, so that
/// a later process does not repeat this.
package struct LostLoginMarker: Sendable {
  private let path: String

  package init(_ files: AccountFiles) { path = files.lostLoginMarker }

  package var exists: Bool { File.exists(path) }

  /// Writes the marker. If that fails, the next process announces the lost login again.
  package func write() { try? AtomicFile.write([], to: path, .replaced) }

  package func remove() { try? File.remove(path) }
}
