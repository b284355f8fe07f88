internal import Platform

/// Reading connections that wait for their next use with the parsed schema. The search index of a million posts consists of 1,200 tables.
/// Reading their definitions takes 5 ms, twice as long as making a page of posts.
///
/// A waiting connection is in no transaction, so it delays neither a writer nor a checkpoint. However, SQLite keeps a file's log until the
/// last connection is closed. Call ``end()`` before the writers are closed.
// Sendable because only the caller that has taken a connection uses it.
package final class IdleReaders: @unchecked Sendable {
  /// The maximum number of waiting connections, one for each file.
  static let limit = 4
  /// The size of a connection's page cache in KiB, about the pages that a page of posts reads. It is kept while the connection waits.
  private static let cache = 1024

  /// A connection, and the file that was at its path when it was opened.
  struct Reader {
    let connection: SQLiteConnection
    let file: FileStatus.Identity
  }

  private struct State {
    var waiting: [Reader] = []
    var hasEnded = false
  }

  private let state = Locked(State())

  package init() {}

  /// Opens a file for reading, or returns a connection to it that waits.
  func open(_ path: String) throws -> Reader {
    let file = try FileStatus.of(path).identity
    let known = state.withLock { state in
      state.waiting.firstIndex { $0.connection.path == path }.map { state.waiting.remove(at: $0) }
    }
    // Another file may have replaced the one that the connection has opened.
    if let known, known.file == file { return known }
    known?.connection.close()
    let connection = try SQLiteConnection(path, .reading)
    try connection.run("PRAGMA cache_size = -\(Self.cache)")
    return Reader(connection: connection, file: file)
  }

  /// Keeps a connection for its next use, or closes it. If there are too many, the one that has waited longest is closed.
  func take(back reader: Reader) {
    guard reader.connection.endReading() else { return reader.connection.close() }
    let excess: Reader? = state.withLock { state in
      if state.hasEnded || state.waiting.contains(where: { $0.connection.path == reader.connection.path }) {
        return reader
      }
      state.waiting.append(reader)
      return state.waiting.count > Self.limit ? state.waiting.removeFirst() : nil
    }
    excess?.connection.close()
  }

  /// Closes all waiting connections.
  package func closeAll() {
    let all = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for reader in all { reader.connection.close() }
  }

  /// Closes all waiting connections, and from now on each connection after its use.
  package func end() {
    state.withLock { $0.hasEnded = true }
    closeAll()
  }
}
