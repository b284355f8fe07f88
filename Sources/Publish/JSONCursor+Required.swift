internal import JSON

/// Places are worked out only for errors: each costs a walk from the beginning of the text.
extension JSONCursor {
  /// The value of a member that must be there.
  /// - Parameter start: where its object begins.
  func required<Value>(_ value: Value?, _ name: String, from start: Int) throws(PublishedFormatError) -> Value {
    guard let value else { throw .missing(name, place(of: start)) }
    return value
  }
}
