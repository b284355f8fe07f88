import TestSupport

/// A broken response to one step of a login.
struct LoginFault: Sendable {
  let name: String
  let steps: [RawServer.Step]
  /// Text that the error message must contain.
  let expectedText: String

  private static let portal = "<!DOCTYPE html><html><body>Please log in to the Wi-Fi</body></html>"

  private init(_ name: String, _ expectedText: String, _ steps: [RawServer.Step]) {
    (self.name, self.steps, self.expectedText) = (name, steps, expectedText)
  }

  private static func refused(_ name: String, _ expectedText: String, _ bytes: [UInt8]) -> Self {
    Self(name, expectedText, [.send(bytes)])
  }

  /// - Parameter response: a valid response, which some faults truncate or alter.
  static func all(cutting response: String) async throws -> [Self] {
    let body = Array(response.utf8)
    var falsePacked = try await RawHTTP.gzip("printf '%s' '\(response)'")
    // The checksum is the first half of the last 8 bytes (RFC 1952 §2.3.1).
    falsePacked[falsePacked.count - 6] ^= 0xFF
    return [
      Self("reset before the first byte", "broke", [.reset]),
      Self("reset inside the header", "broke", [.text("HTTP/1.1 200 OK\r\nContent-Ty"), .reset]),
      Self("closed inside the body", "broke", [.send(RawHTTP.response(body).dropLast(5))]),
      Self(
        "truncated chunks", "broke",
        [.send(RawHTTP.head("200 OK", ["Transfer-Encoding: chunked"]) + Array("ff\r\n".utf8) + body)]),
      Self(
        "gzip with a wrong checksum", "broke",
        [.send(RawHTTP.response(falsePacked, "200 OK", ["Content-Encoding: gzip"]))]),
      Self(
        "an endless body", "more than 16384 KiB",
        [.send(RawHTTP.head()), .flood([UInt8](repeating: 0x61, count: 1 << 16), bytes: 1 << 40)]),
      Self("an HTTP/0.9 response", "broke", [.send(body)]),
      .refused("an empty body", "", RawHTTP.response("")),
      .refused("a captive portal's page", "page", RawHTTP.response(portal)),
      .refused(
        "a redirect to a captive portal", "page",
        RawHTTP.response(portal, "302 Found", ["Location: http://portal.invalid/login"])),
      .refused(
        "a network that requires authentication (511)", "page",
        RawHTTP.response(portal, "511 Network Authentication Required")),
      .refused("an internal server error", "page", RawHTTP.response(portal, "500 Internal Server Error")),
      .refused("binary data", "", RawHTTP.response([0, 0xFF, 0xFE, 0x3D, 0x26])),
      .refused("deeply nested JSON", "", RawHTTP.response(String(repeating: "{\"a\":", count: 10_000))),
    ]
  }
}
