/// The well-formed links in a `Link` header (RFC 8288 §3).
struct LinkHeader {
  private var targets: [String: String] = [:]

  init(_ text: String) {
    var rest = Array(text.utf8)[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { return }
      let target = String(decoding: rest[(open + 1)..<close], as: UTF8.self)
      rest = rest[(close + 1)...]
      for relation in Self.relations(Self.takeParameters(&rest)) where targets[relation] == nil {
        targets[relation] = target
      }
    }
  }

  /// Returns the target of the first link with a relation, such as `next`.
  func target(of relation: String) -> String? { targets[relation] }

  /// Consumes everything up to the next comma outside quotes.
  private static func takeParameters(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var isQuoted = false
    let end = rest.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    let parameters = rest[..<(end ?? rest.endIndex)]
    rest = rest[(end ?? rest.endIndex)...]
    return parameters
  }

  /// Returns the values of `rel`: one or more, with or without quotes.
  private static func relations(_ parameters: ArraySlice<UInt8>) -> [String] {
    for parameter in parameters.split(separator: UInt8(ascii: ";")) {
      let text = String(decoding: parameter.filter { $0 != 0x22 }, as: UTF8.self).lowercased()
      let trimmed = text.drop { $0 == " " || $0 == "\t" }
      if trimmed.hasPrefix("rel=") { return trimmed.dropFirst(4).split(separator: " ").map { String($0) } }
    }
    return []
  }
}
