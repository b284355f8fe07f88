internal import JSON
internal import Storage
internal import Time

/// The string members of a token file by name. Names of members about its user begin with `user.`.
struct TokenMembers {
  private var texts: [String: String] = [:]

  init(_ bytes: [UInt8]) throws {
    var cursor = JSONCursor(bytes, maximalDepth: 16)
    var found: [String: String] = [:]
    try cursor.members { json, name in
      switch try json.peek() {
      case .object where name == "user":
        try json.members { json, name in
          if try json.peek() == .string { found["user.\(name.text)"] = try json.string() } else { try json.skip() }
        }
      case .string: found[name.text] = try json.string()
      default: try json.skip()
      }
    }
    texts = found
  }

  func text(_ name: String) throws(StoredToken.FormatError) -> String {
    guard let text = texts[name] else { throw .corrupt("\"\(name)\" is missing") }
    return text
  }

  /// Returns the member; `nil` if it is missing or `null`.
  func optional(_ name: String) -> String? { texts[name] }

  func moment(_ name: String) throws(StoredToken.FormatError) -> Timestamp {
    guard let moment = Timestamp(rfc3339: try text(name)) else { throw .corrupt("\"\(name)\" is not a date") }
    return moment
  }

  func optionalMoment(_ name: String) throws(StoredToken.FormatError) -> Timestamp? {
    texts[name] == nil ? nil : try moment(name)
  }
}
