import Foundation

/// The project's documentation, which is checked against the code.
enum Documentation {
  /// Returns a page.
  /// - Parameter path: relative to `docs`.
  static func page(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "docs").appending(path: path), encoding: .utf8)
  }
}
