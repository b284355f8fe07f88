package import Folders
internal import Glibc
internal import Platform
package import Storage
internal import Time

/// A file next to an account's database. It records the last request to the provider, for the next process in case this process exits
/// before it stores the outcome.
///
/// It is written in place before a request, without fsync, so that this works on a full disk. Its times are from `CLOCK_BOOTTIME`, which
/// cannot be set, so its content is invalid after a reboot.
package struct StartMarker: StartStorage {
  /// The size in bytes. It is constant, so that shorter text leaves no part of longer text behind.
  static let size = 64

  private let path: String
  private let machineStart: String

  /// - Parameter machineStart: identifies the current boot of the machine.
  package init(_ files: AccountFiles, machineStart: String = CleanShutdownMarker.machineStart) {
    path = files.startMarker
    self.machineStart = String(machineStart.prefix(Self.idLength))
  }

  /// The beginning of a `boot_id` is enough, because it is random.
  private static let idLength = 13

  package func read() -> RequestStart? {
    guard !machineStart.isEmpty, let bytes = try? TrustedFile.read(path, limit: Self.size) else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard fields.count == 4 || fields.count == 5, fields[0] == machineStart, let at = Self.instant(fields[1]),
      let wall = Int64(fields[2]), let unfinished = Int(fields[3]), Self.counts.contains(unfinished)
    else { return nil }
    return RequestStart(
      at: at, wall: Timestamp(milliseconds: wall), unfinished: unfinished,
      next: fields.count == 5 ? Self.instant(fields[4]) : nil)
  }

  /// The possible numbers of unfinished requests in a marker.
  private static let counts = 0...1_000_000

  /// Reads a time in milliseconds.
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
