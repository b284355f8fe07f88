internal import Platform

/// The file for a renewal in progress, next to `token.json`: allocated space that stays empty until the response arrives.
///
/// It is created before the request is sent, so that a full disk or a read-only folder is detected while the token is still valid. Zeros
/// mean that no response was received. Anything else is a response newer than `token.json`, whose refresh token has then been used. Unlike
/// a ``ReservedToken``, the file remains if its process is killed.
struct TokenRenewal: Sendable {
  private static let limit = 65536

  /// The content that an earlier process left behind.
  enum Leftover {
    /// No response was received.
    case unanswered
    /// A response was received. It may be incomplete.
    case answered([UInt8])
  }

  private let target: String

  init(of target: String) { self.target = target }

  var path: String { "\(target).next" }

  /// Reserves space for the response before it is requested.
  func begin() throws(SystemError) {
    remove()
    try AtomicFile.reserve(path, for: target)
  }

  /// Syncs the response to disk and replaces the stored token with it.
  func commit(_ bytes: [UInt8]) throws(SystemError) {
    try AtomicFile.write(bytes, inReserved: path, to: target)
  }

  /// Removes the file, because the provider refused the renewal or a login has made it obsolete.
  func remove() { try? File.remove(path) }

  /// Returns the content of a renewal in progress; `nil` if there is none.
  func leftover() throws(PrivateFileError) -> Leftover? {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try TrustedFile.readPrivate(path, limit: Self.limit) } catch {
      if case .system(let reason) = error, reason.isNoEntry { return nil }
      throw error
    }
    if bytes.allSatisfy({ $0 == 0 }) { return .unanswered }
    // A process killed before it could truncate the file leaves zeros after the response.
    let end = bytes.lastIndex { $0 != 0 } ?? bytes.startIndex
    return .answered(Array(bytes[...end]))
  }
}
