extension ErrorWords {
  /// Finds the error in an XML answer, nil when it holds none: `<errors><error code="415">…</error></errors>`, or
  /// `<hash><error>…</error></hash>`. This is no XML reader; it looks for the first element named `error`.
  init?(xml: [UInt8]) {
    var rest = xml[...]
    while let start = Self.range(of: "<error", in: rest) {
      rest = rest[start.upperBound...]
      // Not `<errors>`.
      guard let next = rest.first, next == UInt8(ascii: ">") || next <= 0x20 else { continue }
      guard let tagEnd = rest.firstIndex(of: UInt8(ascii: ">")),
        let close = Self.range(of: "</error>", in: rest[tagEnd...])
      else { return nil }
      // Its references are decoded with those of all other messages (`PlainWords`).
      let text = String(decoding: rest[(tagEnd + 1)..<close.lowerBound], as: UTF8.self)
      self.init(code: Self.code(in: rest[..<tagEnd]), problem: nil, text: text)
      return
    }
    return nil
  }

  /// The number in `code="415"`.
  private static func code(in attributes: ArraySlice<UInt8>) -> Int? {
    guard let name = range(of: "code=", in: attributes) else { return nil }
    let digits = attributes[name.upperBound...].dropFirst().prefix { ASCII.isDigit($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private static func range(of text: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    let length = text.utf8.count
    guard bytes.count >= length else { return nil }
    for start in bytes.startIndex...(bytes.endIndex - length) where bytes[start...].starts(with: text.utf8) {
      return start..<(start + length)
    }
    return nil
  }
}
