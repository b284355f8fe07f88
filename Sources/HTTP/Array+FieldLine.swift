extension [UInt8] {
  /// Adds a field line with its end (RFC 9112 §5).
  mutating func append(_ field: HeaderFields.Field) {
    append(contentsOf: field.name.spelling.utf8)
    append(UInt8(ascii: ":"))
    append(.space)
    append(contentsOf: field.value.text.utf8)
    append(.carriageReturn)
    append(.lineFeed)
  }
}
