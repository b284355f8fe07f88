/// How a ``SQLiteConnection`` opens a file.
package enum SQLiteAccess: Sendable {
  case reading, writing
  /// Reads one of this program's own files that is corrupt. Only this mode can read a schema that contradicts itself (`PRAGMA
  /// writable_schema`).
  case salvaging
  /// Reads a file from an untrusted source.
  case foreign
  /// The database exists only in memory. Its content is lost with the connection.
  case memory
}
