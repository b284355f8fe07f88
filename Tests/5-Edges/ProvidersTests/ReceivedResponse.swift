import Testing

@testable import Providers

/// A kind of response, as an API or something in front of it sends it.
struct ReceivedResponse: Sendable, CustomTestStringConvertible {
  let name: String
  let status: Int
  var headers: [String: String] = [:]
  var body = ""

  var response: ProviderResponse { Samples.respond(body, status: status, headers: headers) }

  var testDescription: String { name }

  private static let json = ["content-type": "application/json"]
  private static let html = ["content-type": "text/html; charset=utf-8"]

  private static func page(_ title: String) -> String {
    "<!DOCTYPE html>\n<html><head><title>\(title)</title></head>\n<body><p>\(title).</p></body></html>"
  }

  /// Responses that do not come from any API.
  static let between = [
    ReceivedResponse(name: "200, web page", status: 200, headers: html, body: page("Guest network")),
    ReceivedResponse(
      name: "302, to a login page", status: 302, headers: ["location": "https://sign-in.example/start"]),
    ReceivedResponse(
      name: "301, to another host", status: 301, headers: ["location": "https://new.example/api"],
      body: page("Moved Permanently")),
    ReceivedResponse(
      name: "401, web page", status: 401,
      headers: ["content-type": "text/html", "www-authenticate": "Basic realm=\"Back soon\""],
      body: page("401 Unauthorized")),
    ReceivedResponse(name: "403, web page", status: 403, headers: html, body: page("One moment")),
    ReceivedResponse(name: "403, empty", status: 403),
    ReceivedResponse(name: "404, web page", status: 404, headers: html, body: page("404 Not Found")),
    ReceivedResponse(name: "404, empty", status: 404),
    ReceivedResponse(name: "404, plain text", status: 404, body: "404 page not found\n"),
    ReceivedResponse(
      name: "404, another API's JSON", status: 404, headers: ["content-type": "application/problem+json"],
      body: #"{"title": "Not Found", "type": "about:blank", "status": 404, "detail": "Not Found"}"#),
    ReceivedResponse(name: "410, web page", status: 410, headers: html, body: page("410 Gone")),
    ReceivedResponse(name: "413, web page", status: 413, headers: html, body: page("413 Request Entity Too Large")),
    ReceivedResponse(name: "422, web page", status: 422, headers: html, body: page("Rejected")),
    ReceivedResponse(name: "451, web page", status: 451, headers: html, body: page("Blocked")),
    ReceivedResponse(
      name: "503, web page", status: 503, headers: ["retry-after": "20"], body: "<h1>Restarting</h1>"),
    ReceivedResponse(name: "502, plain text", status: 502, body: "502 Bad Gateway"),
  ]

  /// A 401 without a reason, which an API or something in front of it may send.
  static let emptyUnauthorized = ReceivedResponse(name: "401, empty", status: 401)

  static let emptySuccess = ReceivedResponse(name: "200, empty", status: 200)

  static let limit = ReceivedResponse(
    name: "429, web page", status: 429, headers: ["retry-after": "20"], body: page("Too many requests"))

  /// Responses of Mastodon's API itself.
  static let own = [
    ReceivedResponse(
      name: "401, own JSON", status: 401, headers: json, body: #"{"error":"The access token is invalid"}"#),
    ReceivedResponse(
      name: "401, `Bearer error=\"invalid_token\"`", status: 401,
      headers: ["www-authenticate": #"Bearer realm="x", error="invalid_token""#], body: page("401 Unauthorized")),
    ReceivedResponse(
      name: "403, own JSON", status: 403, headers: json, body: #"{"error":"This action is not allowed"}"#),
    ReceivedResponse(name: "404, own JSON", status: 404, headers: json, body: #"{"error":"Record not found"}"#),
    ReceivedResponse(
      name: "404, snac's page", status: 404, headers: html, body: "<h1>404 Not Found (snac/2.94)</h1>"),
    ReceivedResponse(
      name: "422, own JSON", status: 422, headers: json, body: #"{"error":"Validation failed: Text is too long"}"#),
  ]
}
