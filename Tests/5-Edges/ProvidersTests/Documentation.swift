import TestSupport
import Foundation

/// The project's documentation, which is checked against the code.
enum Documentation {
  /// Returns a page.
  /// - Parameter path: relative to `docs`.
  static func page(_ path: String) throws -> String {
    return try String(contentsOf: URL(filePath: Repository.path("docs/\(path)")), encoding: .utf8)
  }
}
