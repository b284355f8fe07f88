import HTTP
import JSON

/// Weibo's JSON taken apart: each scalar by its path, such as `statuses.0.user.idstr`.
struct WeiboOnTheWire {
  private(set) var texts: [String: String] = [:]
  /// Which of them are strings.
  private(set) var strings: Set<String> = []
  private var counts: [String: Int] = [:]

  init(_ response: Response) throws {
    var cursor = JSONCursor(response.body)
    try take(&cursor, at: "")
    try cursor.end()
  }

  subscript(path: String) -> String? { texts[path] }

  func count(of path: String) -> Int? { counts[path] }

  /// The values of a member of each post.
  func posts(_ member: String) -> [String] {
    (0..<(counts["statuses"] ?? 0)).compactMap { texts["statuses.\($0).\(member)"] }
  }

  var ids: [UInt64] { posts("idstr").compactMap { UInt64($0) } }

  private mutating func take(_ cursor: inout JSONCursor, at path: String) throws {
    switch try cursor.peek() {
    case .object:
      try cursor.members { cursor, name in try take(&cursor, at: path.isEmpty ? name.text : "\(path).\(name.text)") }
    case .array:
      var count = 0
      try cursor.elements { cursor in
        try take(&cursor, at: "\(path).\(count)")
        count += 1
      }
      counts[path] = count
    case .string:
      texts[path] = try cursor.string()
      strings.insert(path)
    case .number: texts[path] = try cursor.numberText()
    case .boolean: texts[path] = try cursor.boolean() ? "true" : "false"
    case .null: _ = try cursor.null()
    }
  }
}
