internal import JSON

/// A member that is read only if another member with the same information is missing.
struct SpareMember {
  /// The offset of the last value.
  private var start: Int?
  /// The last usable value before that.
  private var earlier: String?

  /// Consumes any value, which `read` would read.
  mutating func skip(_ cursor: inout JSONCursor, _ read: (inout JSONCursor) throws -> String?) throws {
    earlier = try value(cursor, read)
    start = try cursor.skip().lowerBound
  }

  /// Reads the last usable value.
  func value(_ cursor: JSONCursor, _ read: (inout JSONCursor) throws -> String?) throws -> String? {
    guard let start else { return earlier }
    return try cursor.again(from: start, read) ?? earlier
  }
}
