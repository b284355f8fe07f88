internal import HTTP
internal import JSON

/// An error from Gokuai's API. The first three digits of its code are the HTTP status.
struct GokuaiError: Error {
  let code: Int
  let message: String

  static func notFound(_ code: Int, _ message: String) -> GokuaiError { GokuaiError(code: code, message: message) }
  static func invalid(_ message: String) -> GokuaiError { GokuaiError(code: 40001, message: message) }
  static let exists = GokuaiError(code: 40903, message: "there is one already")

  var response: Response {
    .json(StatusCode(Int(String(code).prefix(3)) ?? 400)) { json in
      json.member("error_code", code)
      json.member("error_msg", message)
    }
  }
}
