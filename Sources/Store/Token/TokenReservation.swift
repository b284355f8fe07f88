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
