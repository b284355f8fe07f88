internal import Platform

/// The files that a sandbox stores between runs: its key and the revoked tokens. Both files are private (mode 0600).
package struct StateFolder: Sendable {
  /// The maximum size of the file with the revoked tokens, enough for ten thousand tokens.
  private static let revokedLimit = 1 << 20

  private let path: String

  /// Creates the folder if it is missing. Only one sandbox at a time may use it.
  package init(_ path: String) throws(SandboxError) {
    self.path = path
    do throws(SystemError) {
      try Folder.create(path)
      for file in [keyPath, revokedPath] { try AtomicFile.removeLeftovers(of: file) }
    } catch { throw .system(error) }
  }

  /// Reads the key and the revoked tokens. The first time, a key is created and synced to disk before it is used.
  package func state() throws(SandboxError) -> SandboxState {
    SandboxState(key: try key(), revokedTokens: try revokedTokens())
  }

  func store(revoked tokens: Set<String>) throws(SystemError) {
    try AtomicFile.write(Array(tokens.sorted().map { "\($0)\n" }.joined().utf8), to: revokedPath, .synced)
  }

  private func key() throws(SandboxError) -> SandboxKey {
    let file = keyPath
    if let bytes = try Self.read(file, limit: 2 * SandboxKey.byteCount) {
      guard let key = SandboxKey(bytes: bytes) else { throw .badKey(path: file) }
      return key
    }
    let key = SandboxKey.random()
    do throws(SystemError) {
      try key.withExposed { bytes throws(SystemError) in try AtomicFile.write(bytes, to: file, .synced) }
    } catch { throw .system(error) }
    return key
  }

  private func revokedTokens() throws(SandboxError) -> Set<String> {
    guard let bytes = try Self.read(revokedPath, limit: Self.revokedLimit) else { return [] }
    return Set(bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
  }

  private var keyPath: String { "\(path)/key" }
  private var revokedPath: String { "\(path)/revoked" }

  /// Returns a file's content; `nil` if there is no such file.
  private static func read(_ file: String, limit: Int) throws(SandboxError) -> [UInt8]? {
    do throws(PrivateFileError) {
      return try TrustedFile.readPrivate(file, limit: limit)
    } catch {
      if case .system(let reason) = error, reason.isNoEntry { return nil }
      throw .notPrivate(error)
    }
  }
}

/// The data that a sandbox stores between runs.
package struct SandboxState: Sendable {
  package let key: SandboxKey
  package let revokedTokens: Set<String>

  /// The state for a single run, with its own key.
  static var temporary: SandboxState { SandboxState(key: .random(), revokedTokens: []) }
}
