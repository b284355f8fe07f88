package import Platform
package import Transport

/// What a sandbox keeps between its runs: its key, and the tokens that were revoked. Both files are private.
struct SandboxFolder: Sendable {
  /// Some ten thousand tokens; nobody has that many.
  private static let revokedLimit = 1 << 20

  private let path: String

  /// Makes the folder where it is missing.
  init(_ path: String) throws(SandboxError) {
    self.path = path
    do throws(SystemError) {
      try Folder.create(path)
      for file in [keyPath, revokedPath] { try AtomicFile.removeLeftovers(of: file) }
    } catch { throw .system(error) }
  }

  /// The key; made at the first time, and brought to the disk before it is used.
  func key() throws(SandboxError) -> SandboxKey {
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

  func revokedTokens() throws(SandboxError) -> Set<String> {
    guard let bytes = try Self.read(revokedPath, limit: Self.revokedLimit) else { return [] }
    return Set(bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
  }

  func keep(revoked tokens: Set<String>) throws(SystemError) {
    try AtomicFile.write(Array(tokens.sorted().map { "\($0)\n" }.joined().utf8), to: revokedPath, .synced)
  }

  private var keyPath: String { "\(path)/key" }
  private var revokedPath: String { "\(path)/revoked" }

  /// nil where there is no such file.
  private static func read(_ file: String, limit: Int) throws(SandboxError) -> [UInt8]? {
    do throws(PrivateFileError) {
      return try OwnFile.readPrivate(file, limit: limit)
    } catch {
      if case .system(let reason) = error, reason.isNoEntry { return nil }
      throw .notPrivate(error)
    }
  }
}

/// Why a sandbox could not begin.
package enum SandboxError: Error, CustomStringConvertible {
  /// The file with the key has other bytes than a key.
  case badKey(path: String)
  case notPrivate(PrivateFileError)
  case listening(ListenError)
  case system(SystemError)

  package var description: String {
    switch self {
    case .badKey(let path):
      "\(path) is not a key of the sandbox. Remove it to get a new one; what was authorised with it must be authorised again"
    case .notPrivate(let error): error.description
    case .listening(let error): error.description
    case .system(let error): error.description
    }
  }
}
