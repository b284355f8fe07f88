internal import CSQLite

/// How many steps of SQLite's virtual machine reading a foreign file may take: far more than any sound file of its size needs. A damaged
/// one can lead in circles.
final class SQLiteSteps {
  /// So many steps lie between two looks at what is left.
  private static let stride: Int32 = 10_000
  /// For any file, some seconds of one core.
  private static let least = 20_000_000
  /// A tweet takes a few hundred bytes, and some ten thousand steps where the file has no index for its pictures.
  private static let perByte = 300

  private var left: Int

  /// - Parameters:
  ///   - connection: must be closed before this ends.
  ///   - size: the file's, in bytes.
  init(of connection: OpaquePointer, fileOf size: Int) {
    let most = (Int.max - Self.least) / Self.perByte
    left = Self.least + min(size, most) * Self.perByte
    unsafe sqlite3_progress_handler(
      connection, Self.stride,
      { steps in
        let steps = unsafe Unmanaged<SQLiteSteps>.fromOpaque(steps!).takeUnretainedValue()
        steps.left -= Int(SQLiteSteps.stride)
        return steps.left > 0 ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
