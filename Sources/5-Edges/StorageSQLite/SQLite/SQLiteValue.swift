/// A value to be bound to a parameter of a statement.
package enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
  /// Text that is already encoded as UTF-8.
  case utf8(ArraySlice<UInt8>)

  package init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
  /// - Parameter utf8: empty for NULL.
  init(_ utf8: ArraySlice<UInt8>) { self = utf8.isEmpty ? .null : .utf8(utf8) }
  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}
