internal import CivilTime
package import Files
internal import Glibc
internal import Platform
package import Storage

/// The marker beside an account's database that says when its provider was last asked: what a process leaves to the next one if it ends
/// before the answer is stored.
///
/// It is written before a request, in place and without a sync: a disk that is full still takes it, since its room is there already. After
/// a start of the machine it says nothing, for its moments are those of `CLOCK_BOOTTIME`, which nobody sets.
package struct StartMarker: StartStorage {
  /// In bytes. Always as many, so that nothing of a longer text stays behind a shorter one.
  package static let size = 64

  private let path: String
  private let machineStart: String

  /// - Parameter machineStart: what tells one start of the machine from another.
  package init(_ files: AccountFiles, machineStart: String = CleanShutdownMarker.machineStart) {
    path = files.startMarker
    self.machineStart = String(machineStart.prefix(Self.idLength))
  }

  /// The beginning of a `boot_id` is enough: it is random.
  private static let idLength = 13

  package func read() -> RequestStart? {
    guard !machineStart.isEmpty, let bytes = try? TrustedFile.read(path, limit: Self.size) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard words.count == 4 || words.count == 5, words[0] == machineStart, let at = Self.instant(words[1]),
      let wall = Int64(words[2]), let unfinished = Int(words[3]), unfinished >= 0
    else { return nil }
    return RequestStart(
      at: at, wall: Timestamp(milliseconds: wall), unfinished: unfinished,
      next: words.count == 5 ? Self.instant(words[4]) : nil)
  }

  /// A moment that is written in milliseconds.
  private static func instant(_ text: Substring) -> BootInstant? {
    guard let milliseconds = Int64(text), milliseconds >= 0, milliseconds < Int64.max / 1_000_000 else { return nil }
    return BootInstant(nanoseconds: milliseconds * 1_000_000)
  }

  package func write(_ start: RequestStart) throws(StorageError) {
    var text = "\(machineStart) \(start.at.nanoseconds / 1_000_000) \(start.wall.milliseconds) \(start.unfinished)"
    if let next = start.next { text += " \(next.nanoseconds / 1_000_000)" }
    var bytes = Array(text.utf8.prefix(Self.size - 1))
    bytes += [UInt8](repeating: UInt8(ascii: " "), count: Self.size - 1 - bytes.count) + [UInt8(ascii: "\n")]
    do throws(SystemError) {
      let file = try TrustedFile.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
      try file.write(bytes)
      try file.close()
    } catch { throw StorageError(error.about(path)) }
  }
}
