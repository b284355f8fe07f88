internal import CivilTime
internal import HomelineOAuth
internal import JSON

/// The texts of a token's file by their names, those of its user behind `user.`.
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

  func text(_ name: String) throws(StoredToken.Unusable) -> String {
    guard let text = texts[name] else { throw .corrupt("it has no \"\(name)\"") }
    return text
  }

  /// `nil` when it is not there, or `null`.
  func optional(_ name: String) -> String? { texts[name] }

  func moment(_ name: String) throws(StoredToken.Unusable) -> Timestamp {
    guard let moment = Timestamp(rfc3339: try text(name)) else { throw .corrupt("\"\(name)\" is no date") }
    return moment
  }

  func optionalMoment(_ name: String) throws(StoredToken.Unusable) -> Timestamp? {
    texts[name] == nil ? nil : try moment(name)
  }
}
