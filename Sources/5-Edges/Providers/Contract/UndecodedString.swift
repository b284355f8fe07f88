internal import JSON

/// A string that is decoded only if it is needed.
struct UndecodedString {
  private let json: ArraySlice<UInt8>

  /// Consumes any value; `nil` if it is not a string.
  init?(_ cursor: inout JSONCursor) throws {
    let kind = try cursor.peek()
    let range = try cursor.skip()
    guard kind == .string else { return nil }
    json = cursor.bytes[range]
  }

  /// Without the quotes, no bytes are left.
  var isEmpty: Bool { json.count == 2 }

  /// The content; `nil` if it contains escapes.
  var plain: ArraySlice<UInt8>? {
    let content = json.dropFirst().dropLast()
    return content.contains(UInt8(ascii: "\\")) ? nil : content
  }

  var decoded: String {
    var cursor = JSONCursor(Array(json))
    return (try? cursor.string()) ?? ""
  }
}
