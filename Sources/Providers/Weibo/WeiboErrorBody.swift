internal import JSON

/// What Weibo says in JSON when something went wrong.
///
/// `{"error":"expired_token","error_code":21327,"request":"/2/statuses/home_timeline.json"}`. The number is a string in the
/// documentation, and a number at the server.
struct WeiboErrorBody {
  private(set) var code: Int?
  /// Whether something that was asked for was not done: `{"result":"false"}`.
  private(set) var isUndone = false

  /// Reads any body; what is no JSON object says nothing.
  init(_ body: [UInt8]) {
    guard (try? JSONCursor.kind(of: body)) == .object else { return }
    var cursor = JSONCursor(body)
    try? cursor.members { cursor, name in
      switch name {
      case "error_code": code = try cursor.lenientID().flatMap { Int($0) }.flatMap { $0 == 0 ? nil : $0 } ?? code
      case "result": isUndone = try Self.isFalse(&cursor)
      default: try cursor.skip()
      }
    }
  }

  private static func isFalse(_ cursor: inout JSONCursor) throws -> Bool {
    if try cursor.peek() == .boolean { return try !cursor.boolean() }
    return try cursor.lenientString() == "false"
  }
}
