internal import Platform

/// Protects pictures from removal while another process reads them.
package enum MediaReading {
  /// Runs the body, which may read a page and then the pictures that it refers to.
  ///
  /// While the body runs, the state owner postpones removals and does not wait for the reader. A reader waits only for a
  /// removal in progress. Programs that show a page for longer, such as browsers, rely on the grace period instead: see ``MediaStore``.
  /// - Parameter folder: `FileLayout.mediaFolder`. If it does not exist, there are no pictures.
  /// - Throws: `SystemError`, and any error that the body throws.
  package static func during<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
    let lock: FileLock
    do throws(SystemError) { lock = try .share(MediaFiles(folder: folder).lock) } catch {
      guard error.isNoEntry else { throw error }
      return try body()
    }
    let value = Result { try body() }
    _ = consume lock
    return try value.get()
  }
}
