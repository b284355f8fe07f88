internal import Platform

/// A renewal under way, as it lies on the disk beside `token.json`: a file with allocated space and nothing in it until the answer
/// has come.
///
/// It is there before the provider is asked, so a full disk or an unwritable folder is found while the token is still good. Nothing but
/// zeros in it means that no answer was received; anything else is newer than `token.json`, whose refresh token is then used up.
/// Unlike a ``TokenReservation`` it outlives its process, which may be killed between the two.
package struct TokenRenewal: Sendable {
  private static let limit = 65536

  /// What a process that ended has left.
  enum Leftover {
    /// No answer was received.
    case unanswered
    /// The answer, whole or not.
    case answered([UInt8])
  }

  private let target: String
  private let folder: String

  init(of target: String, in folder: String) {
    self.target = target
    self.folder = folder
  }

  var path: String { "\(target).next" }

  /// Makes the place, for the answer to the renewal that is about to be asked for.
  func begin() throws(SystemError) {
    remove()
    try ReservedFile(path: path).make(in: folder, for: target)
  }

  /// Brings the answer to the disk and puts it in the place of the token before it.
  func commit(_ bytes: [UInt8]) throws(SystemError) {
    try ReservedFile(path: path).fill(bytes, asNew: target, in: folder)
  }

  /// Takes the place away: the provider has refused, or another login has made it pointless.
  func remove() { ReservedFile(path: path).remove() }

  /// - Returns: `nil` when there is none.
  func leftover() throws(PrivateFileError) -> Leftover? {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try OwnFile.readPrivate(path, limit: Self.limit) } catch {
      if case .system(let reason) = error, reason.isNoEntry { return nil }
      throw error
    }
    if bytes.allSatisfy({ $0 == 0 }) { return .unanswered }
    // A process that was killed between writing and cutting the file off leaves the zeros behind the answer.
    let end = bytes.lastIndex { $0 != 0 } ?? bytes.startIndex
    return .answered(Array(bytes[...end]))
  }
}
