internal import Cryptography

/// Creates hashes for transfers.
enum TransferHash {
  static func begin() throws(DriveError) -> SHA1State {
    do throws(CryptographyError) { return try SHA1State() } catch { throw DriveError(.local, "\(error)") }
  }

  /// Returns a name of fixed length derived from strings.
  static func name(of texts: [String]) throws(DriveError) -> String {
    var state = try begin()
    state.update(Array(texts.joined(separator: "\0").utf8))
    return String(state.finish().prefix(16))
  }
}
