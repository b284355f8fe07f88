internal import HTTP

/// A request body of type `multipart/form-data` (RFC 7578), parsed strictly: it refuses forms that servers could interpret differently.
struct MultipartBody {
  struct Part {
    let name: String
    /// The file name; `nil` for a text field.
    let fileName: String?
    /// The `Content-Type`; `nil` if it is missing.
    let type: String?
    let content: ArraySlice<UInt8>

    var isFile: Bool { fileName != nil }
    var text: String { String(decoding: content, as: UTF8.self) }
  }

  let parts: [Part]

  /// The only file; `nil` if there is none or more than one.
  var file: Part? { parts.count(where: \.isFile) == 1 ? parts.first(where: \.isFile) : nil }

  /// Returns the text of a field; `nil` if it is missing or repeated.
  func text(_ name: String) -> String? {
    let found = parts.filter { $0.name == name && !$0.isFile }
    return found.count == 1 ? found[0].text : nil
  }

  /// Parses a request's body; nil for any other content type, or if the body is anything but parts and a closing boundary.
  init?(_ request: Request) {
    let prefix = "multipart/form-data; boundary="
    guard let type = request.headers.first(.contentType), type.hasPrefix(prefix) else { return nil }
    let boundary = type.dropFirst(prefix.count)
    guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy(Self.isBoundaryByte) else { return nil }
    let body = request.body
    let delimiter = Array("\r\n--\(boundary)".utf8)
    // The first boundary has no line break before it.
    guard body.starts(with: delimiter.dropFirst(2)) else { return nil }
    var parts: [Part] = []
    var offset = delimiter.count - 2
    while body[offset...].starts(with: "\r\n".utf8) {
      offset += 2
      guard let headEnd = Self.index(of: Array("\r\n\r\n".utf8), in: body, from: offset),
        let end = Self.index(of: delimiter, in: body, from: headEnd + 2),
        let part = Self.part(body[offset..<headEnd], body[min(headEnd + 4, end)..<end])
      else { return nil }
      parts.append(part)
      offset = end + delimiter.count
    }
    guard body[offset...].elementsEqual("--\r\n".utf8) else { return nil }
    self.parts = parts
  }

  private static func part(_ head: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>) -> Part? {
    guard let text = String(validating: head, as: UTF8.self) else { return nil }
    var (disposition, type): ([String: String]?, String?) = (nil, nil)
    for line in text.split(separator: "\r\n", omittingEmptySubsequences: false) {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      switch line[..<colon].lowercased() {
      case "content-disposition":
        guard disposition == nil, let parameters = parameters(value) else { return nil }
        disposition = parameters
      case "content-type":
        guard type == nil, value.contains("/") else { return nil }
        type = String(value)
      default: return nil
      }
    }
    guard let disposition, let name = disposition["name"] else { return nil }
    let fileName = disposition["filename"]
    // A file has a content type; a text field has none.
    guard (fileName == nil) == (type == nil) else { return nil }
    return Part(name: name, fileName: fileName, type: type, content: content)
  }

  /// Returns the quoted parameters of `form-data; name="…"; filename="…"`.
  private static func parameters(_ text: Substring) -> [String: String]? {
    let parts = text.split(separator: "; ", omittingEmptySubsequences: false)
    guard parts.first == "form-data" else { return nil }
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[1].count >= 2, pair[1].first == "\"", pair[1].last == "\"" else { return nil }
      guard parameters.updateValue(String(pair[1].dropFirst().dropLast()), forKey: String(pair[0])) == nil else {
        return nil
      }
    }
    return parameters
  }

  private static func isBoundaryByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func index(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard let first = pattern.first, start <= bytes.count else { return nil }
    var offset = start
    while let next = bytes[offset...].firstIndex(of: first) {
      if bytes[next...].starts(with: pattern) { return next }
      offset = next + 1
    }
    return nil
  }
}
