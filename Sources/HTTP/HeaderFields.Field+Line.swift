extension HeaderFields.Field {
  /// Reads a field line without its CRLF (RFC 9112 §5). Bytes that are no UTF-8 come out as U+FFFD.
  init(line: ArraySlice<UInt8>) throws(RequestRefusal) {
    if let first = line.first, first.isBlank {
      throw RequestRefusal(.badRequest, "a field line begins with whitespace")  // obs-fold: §5.2, and §2.2
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw RequestRefusal(.badRequest, "a field line without a colon")
    }
    // Whitespace before the colon is no token character either: §5.1.
    guard let name = FieldName(String(decoding: line[..<colon], as: UTF8.self)) else {
      throw RequestRefusal(.badRequest, "a field name is not a token")
    }
    var content = line[(colon + 1)...]
    while content.first?.isBlank == true { content.removeFirst() }
    while content.last?.isBlank == true { content.removeLast() }
    guard let value = FieldValue(String(decoding: content, as: UTF8.self)) else {
      throw RequestRefusal(.badRequest, "a field value holds a control byte")
    }
    self.init(name, value)
  }
}
