/// The header of a part of a form (RFC 7578 §4.2).
package struct MultipartPart: Hashable, Sendable {
  /// The name of the field.
  package let name: String
  /// The file's name as sent, which can be any text without control characters; nil for a part that is not a file.
  package let fileName: String?
  /// The media type; nil if the part does not have any.
  package let type: String?

  package init(name: String, fileName: String? = nil, type: String? = nil) {
    self.name = name
    self.fileName = fileName
    self.type = type
  }

  /// Parses the lines of a header.
  /// - Parameter bytes: the lines without the last line break.
  init(header bytes: ArraySlice<UInt8>) throws(MultipartError) {
    // A line break is the only control character, and it is always CRLF.
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformedHeader }
    var (disposition, type): ([String: String]?, String?) = (nil, nil)
    for line in text.split(separator: "\r\n" as Character, omittingEmptySubsequences: false) {
      guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }), let colon = line.firstIndex(of: ":") else {
        throw .malformedHeader
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      switch line[..<colon].lowercased() {
      case "content-disposition":
        guard disposition == nil, let parameters = Self.parameters(value) else { throw .malformedHeader }
        disposition = parameters
      case "content-type":
        guard type == nil, value.contains("/") else { throw .malformedHeader }
        type = String(value)
      // RFC 7578 §4.8: other fields are not sent. One that changed the content's encoding could be read differently.
      default: throw .malformedHeader
      }
    }
    guard let disposition, let name = disposition["name"] else { throw .malformedHeader }
    self.init(name: name, fileName: disposition["filename"], type: type)
  }

  /// Returns the quoted parameters of `form-data; name="…"; filename="…"`; nil for anything else. Browsers percent-encode the quotes in
  /// a value, so a value ends at the next quote.
  private static func parameters(_ text: Substring) -> [String: String]? {
    let kind = "form-data"
    guard text.hasPrefix(kind) else { return nil }
    var rest = text.utf8.dropFirst(kind.utf8.count)
    var parameters: [String: String] = [:]
    while !rest.isEmpty {
      guard rest.starts(with: "; ".utf8), let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = rest[..<equals].dropFirst(2)
      rest = rest[equals...].dropFirst()
      guard rest.first == UInt8(ascii: "\""), case let value = rest.dropFirst(),
        let end = value.firstIndex(of: UInt8(ascii: "\""))
      else { return nil }
      guard !name.isEmpty, name.allSatisfy(isLetter),
        parameters.updateValue(String(Substring(value[..<end])), forKey: String(Substring(name))) == nil
      else { return nil }
      rest = rest[end...].dropFirst()
    }
    return parameters
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
