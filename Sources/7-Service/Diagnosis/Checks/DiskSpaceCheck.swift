internal import Folders
internal import Platform

/// Checks whether there is disk space for tokens, posts and published files.
struct DiskSpaceCheck: DiagnosticCheck {
  let name = "disk space"
  let isQuick = true

  /// With less free space in bytes than this, a login or a refresh is about to fail.
  private static let least: Int64 = 16 << 20
  /// With less free space in bytes than this, there is a warning.
  private static let low: Int64 = 200 << 20

  func findings(in context: DiagnosticContext) -> [Finding] {
    let layout = context.layout
    var seen: Set<FreeSpace> = []
    return [layout.stateFolder, layout.dataFolder, layout.cacheFolder].compactMap { folder in
      let existing = Self.nearestFolder(to: folder)
      do throws(SystemError) {
        let space = try FreeSpace.of(existing)
        // Folders on the same file system have the same free space.
        return seen.insert(space).inserted ? Self.finding(about: space, in: existing) : nil
      } catch { return .warning("\(foreign: "\(error)")") }
    }
  }

  static func finding(about space: FreeSpace, in folder: String) -> Finding {
    let advice: DiagnosticText = "Free some space; homeline purge removes old posts"
    let amount: DiagnosticText = "\(space.bytes >> 20) MiB are free in \(path: folder)"
    if space.files == 0 { return .fault("no more files can be created in \(path: folder)", next: advice) }
    if space.bytes < least { return .fault(amount, next: advice) }
    return space.bytes < low ? .warning(amount, next: advice) : .ok(amount)
  }

  /// Returns the folder if it exists, and otherwise the nearest existing folder above it.
  private static func nearestFolder(to path: String) -> String {
    var path = path
    while !File.exists(path) {
      guard let parent = Folder.parent(of: path) else { return "/" }
      path = parent
    }
    return path
  }
}
