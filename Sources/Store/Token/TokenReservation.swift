package import CivilTime
internal import Glibc
internal import Platform

/// The place of a login's token beside `token.json`, made before a one-time verifier is spent. Removed again when it is not used.
package final class TokenReservation: Sendable {
  private static let mark = ".reserved-"

  private let target: String
  private let file: ReservedFile

  /// - Parameter target: the file that will be replaced; its folder is there.
  init(for target: String, in folder: String) throws(SystemError) {
    self.target = target
    file = ReservedFile(path: "\(target)\(Self.mark)\(getpid())-\(UInt64.random(in: 0 ... .max))")
    try file.make(in: folder, for: target)
  }

  deinit { file.remove() }

  /// Brings the content to the disk and puts it in place.
  func commit(_ bytes: [UInt8], in folder: String) throws(SystemError) {
    try file.fill(bytes, asNew: target, in: folder)
  }

  /// Removes what processes that ended have left beside `token.json`. Only the owner of the state may ask for it.
  static func removeLeftovers(of target: String, in folder: String) throws(SystemError) {
    let prefix = "\(folder)/"
    for name in try Folder.names(in: folder) {
      let path = prefix + name
      if path.hasPrefix(target + mark), !path.hasPrefix("\(target)\(mark)\(getpid())-") { try File.remove(path) }
    }
  }
}

/// A file with allocated space for a token that is about to be asked for, so that a full disk or an unwritable folder is found while
/// nothing is lost yet.
struct ReservedFile: Sendable {
  /// Two pages of every usual file system; a token takes less than one.
  private static let size = 8192

  let path: String

  /// Makes it, its space filled with zeros, and brings it to the disk.
  /// - Parameter subject: whom an error is about.
  func make(in folder: String, for subject: String) throws(SystemError) {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      // posix_fallocate(3) answers the error itself and leaves `errno` alone.
      let code = posix_fallocate(descriptor.number, 0, off_t(Self.size))
      if code != 0 { throw SystemError(call: "posix_fallocate", code: code) }
      try descriptor.sync()
      try descriptor.close()
      try Folder.sync(folder)
    } catch {
      remove()
      throw error.about(subject)
    }
  }

  /// Writes the content into the reserved space, brings it to the disk and puts it in the place of another file.
  ///
  /// If any step fails, the content is written once more into a new file: a failed `fsync` must not be repeated on this one.
  func fill(_ bytes: [UInt8], asNew target: String, in folder: String) throws(SystemError) {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path, O_WRONLY | O_NOFOLLOW)
      try descriptor.write(bytes)
      let number = descriptor.number
      try check("ftruncate") { ftruncate(number, off_t(bytes.count)) }
      try descriptor.sync()
      try descriptor.close()
      try File.rename(path, to: target)
      try Folder.sync(folder)
    } catch {
      try AtomicFile.write(bytes, to: target, .synced)
      remove()
    }
  }

  func remove() { try? File.remove(path) }
}

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

/// What the server said when it last refused to renew a token. It is stored beside the token, so that every process knows it, and is gone
/// with the next renewal or login.
package struct RenewalRefusal: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The refresh token is dead: it is not sent again.
    case final
    /// The server refused without a reason that is known. It may mean anything, and is tried again.
    case unexplained
    /// The same twice in a row.
    case repeated
  }

  package let kind: Kind
  /// The server's words, without secrets.
  package let words: String
  package let at: Timestamp

  package init(_ kind: Kind, _ words: String, at: Timestamp) {
    self.kind = kind
    self.words = words
    self.at = at
  }
}
