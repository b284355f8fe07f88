internal import JSON

/// Weibo's JSON for errors.
///
/// `{"error":"expired_token","error_code":21327,"request":"/2/statuses/home_timeline.json"}`. The number is a string in the
/// documentation, but a number in real responses.
struct WeiboErrorBody {
  private(set) var code: Int?
  /// Whether the requested action was not carried out: `{"result":"false"}`.
  private(set) var isUndone = false

  /// Reads any body, but finds members only in a JSON object.
  init(_ body: [UInt8]) {
    guard (try? JSONCursor.kind(of: body)) == .object else { return }
    var cursor = JSONCursor(body)
    try? cursor.members { cursor, name in
      switch name {
      case "error_code":
        code = try cursor.lenientInteger(in: -999_999_999...999_999_999).flatMap { $0 == 0 ? nil : $0 } ?? code
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
