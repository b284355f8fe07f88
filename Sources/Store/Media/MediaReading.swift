internal import Platform

/// Reading pictures in a process that does not own them: meanwhile none is removed.
package enum MediaReading {
  /// Runs the body, in which a page may be read and then the pictures that it names.
  ///
  /// What the owner would remove meanwhile it removes later; it never waits for a reader, and a reader waits at most for a removal that
  /// is under way. Whoever looks at a page for longer, such as a browser, is served by time instead: see ``MediaStore``.
  /// - Parameter folder: `FileLayout.mediaFolder`; where there is none there are no pictures.
  /// - Throws: `SystemError`, and what the body throws.
  package static func during<Answer>(_ folder: String, _ body: () throws -> Answer) throws -> Answer {
    let lock: FileLock
    do throws(SystemError) { lock = try .share(MediaFiles(folder: folder).lock) } catch {
      guard error.isNoEntry else { throw error }
      return try body()
    }
    let answer = Result { try body() }
    _ = consume lock
    return try answer.get()
  }
}
