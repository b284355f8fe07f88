internal import HTTP

/// A request body of type `multipart/form-data` (RFC 7578), as `MultipartReader` reads it.
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
    guard let type = request.headers.first(.contentType),
      var reader = MultipartReader(contentType: type, limits: MultipartReader.Limits(parts: 64, header: 16_384))
    else { return nil }
    reader.append(request.body)
    do throws(MultipartError) { parts = try Self.parts(&reader) } catch { return nil }
    // A file has a content type; a text field has none.
    guard parts.allSatisfy({ $0.isFile == ($0.type != nil) }) else { return nil }
  }

  private static func parts(_ reader: inout MultipartReader) throws(MultipartError) -> [Part] {
    var parts: [Part] = []
    var head = MultipartPart(name: "")
    var content: [UInt8] = []
    while true {
      switch try reader.next() {
      case .part(let part): (head, content) = (part, [])
      case .content(let bytes): content += bytes
      case .partEnd:
        parts.append(Part(name: head.name, fileName: head.fileName, type: head.type, content: content[...]))
      case .incomplete: throw .incomplete
      case .end: return parts
      }
    }
  }
}
