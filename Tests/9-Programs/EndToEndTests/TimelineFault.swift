import TestSupport

/// A broken response to a refresh, and the expected result.
struct TimelineFault: Sendable {
  let name: String
  let steps: [RawServer.Step]
  /// The exit code of the command.
  let exit: Int
  /// The `error.code` in the published file; `nil` if the refresh succeeds.
  let code: String?
  /// Text that the error message must contain.
  let expectedText: String
  /// Text that the published file must contain after the refresh.
  var shows = ""

  /// Returns a fault that breaks the connection or the HTTP response.
  static func broken(_ name: String, _ expectedText: String, _ steps: [RawServer.Step]) -> Self {
    Self(name: name, steps: steps, exit: 69, code: "network", expectedText: expectedText)
  }

  /// Returns a fault whose response is not a page of posts.
  static func refused(_ name: String, _ expectedText: String, _ bytes: [UInt8]) -> Self {
    Self(name: name, steps: [.send(bytes)], exit: 69, code: "provider", expectedText: expectedText)
  }

  /// Returns a fault whose response is nevertheless accepted as a page of posts.
  static func accepted(_ name: String, _ steps: [RawServer.Step], shows: String = "") -> Self {
    Self(name: name, steps: steps, exit: 0, code: nil, expectedText: "", shows: shows)
  }
}

// MARK: Connections and HTTP

extension TimelineFault {
  private static let page = Array("[\(FaultyTimeline.post(3)),\(FaultyTimeline.post(2))]".utf8)
  private static let portal = "<!DOCTYPE html><html><body>Please log in to the Wi-Fi</body></html>"

  static let connections: [Self] = [
    .broken("reset before the first byte", "broke", [.reset]),
    .broken("closed before the first byte", "broke", []),
    .broken("reset inside the header", "broke", [.text("HTTP/1.1 200 OK\r\nContent-Ty"), .reset]),
    .broken(
      "reset inside the body", "broke", [.send(RawHTTP.response(page).dropLast(40)), .reset]),
    .broken(
      "closed inside the body", "broke",
      [.send(RawHTTP.head("200 OK", ["Content-Length: \(page.count + 1)"]) + page)]),
    .refused(
      "a Content-Length that is too short", "the text ends in the middle of a value",
      RawHTTP.head("200 OK", ["Content-Length: \(page.count - 100)"]) + page),
    .broken(
      "a Content-Length that is not a number", "broke",
      [.send(RawHTTP.head("200 OK", ["Content-Length: many"]) + page)]),
    .broken(
      "truncated chunks", "broke",
      [.send(RawHTTP.head("200 OK", ["Transfer-Encoding: chunked"]) + Array("20\r\n[{\"id\":".utf8))]),
    .broken(
      "a chunk without its length", "broke",
      [.send(RawHTTP.head("200 OK", ["Transfer-Encoding: chunked"]) + Array("many\r\n".utf8) + page)]),
    .broken("an HTTP/0.9 response", "broke", [.send(page)]),
    .broken("a status that is not a number", "broke", [.text("HTTP/1.1 fine OK\r\n\r\n[]")]),
    .broken("another protocol", "broke", [.text("220 mail.example ESMTP\r\n")]),
    .broken(
      "header fields of more than 64 KiB", "more than 64 KiB of header fields",
      [.text("HTTP/1.1 200 OK\r\n"), .flood(Array("X-A: 123456789\r\n".utf8), bytes: 80 << 10), .text("\r\n[]")]),
    .broken(
      "an endless header", "more than 64 KiB of header fields",
      [.text("HTTP/1.1 200 OK\r\n"), .flood(Array("X-A: 123456789\r\n".utf8), bytes: 1 << 30)]),
    .broken(
      "endless interim responses", "more than 64 KiB of header fields",
      [.flood(Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8), bytes: 1 << 30)]),
    .broken(
      "a body of 16 MiB and one byte", "more than 16384 KiB",
      [
        .send(RawHTTP.head("200 OK", ["Content-Length: \((16 << 20) + 1)"])),
        .flood([UInt8](repeating: 0x20, count: 1 << 16), bytes: (16 << 20) + 1),
      ]),
    .broken(
      "an endless body", "more than 16384 KiB",
      [.send(RawHTTP.head()), .flood([UInt8](repeating: 0x20, count: 1 << 16), bytes: 1 << 40)]),
    .accepted(
      "a body of exactly 16 MiB",
      [
        .send(RawHTTP.head("200 OK", ["Content-Length: \(16 << 20)"])), .send(page),
        .flood([UInt8](repeating: 0x20, count: 1 << 16), bytes: (16 << 20) - page.count),
      ]),
    .accepted(
      "interim responses before the final one",
      [
        .text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
        .send(RawHTTP.response(page)),
      ]),
    .accepted(
      "a body in one-byte pieces", [.send(RawHTTP.head()), .drip(Array("[    ]".utf8), every: .milliseconds(2))]),
    .refused(
      "a redirect to itself", "302",
      RawHTTP.response("", "302 Found", ["Location: /home_timeline.json"])),
    .refused("a captive portal's page", "Wi-Fi", RawHTTP.response(portal)),
    .refused(
      "a redirect to a captive portal", "Wi-Fi",
      RawHTTP.response(portal, "302 Found", ["Location: http://portal.invalid/login"])),
    .refused(
      "a network that requires authentication (511)", "Wi-Fi",
      RawHTTP.response(portal, "511 Network Authentication Required")),
    .refused("a success without a body", "no content", RawHTTP.response("", "204 No Content")),
    .refused("an unrequested partial response", "", RawHTTP.response("[", "206 Partial Content")),
  ]

  // MARK: Compression

  static func compressed() async throws -> [Self] {
    let packed = try await RawHTTP.gzip("printf '%s' '\(String(decoding: page, as: UTF8.self))'")
    let bomb = try await RawHTTP.gzip("head -c 67108864 /dev/zero")
    var wrongSum = packed
    // The checksum is the first half of the last 8 bytes (RFC 1952 §2.3.1).
    wrongSum[packed.count - 6] ^= 0xFF
    func respond(_ body: [UInt8]) -> [RawServer.Step] {
      [.send(RawHTTP.response(body, "200 OK", ["Content-Encoding: gzip"]))]
    }
    return [
      .accepted("gzip", respond(packed)),
      // libcurl does not notice the truncated stream, but the JSON in it is incomplete.
      .refused(
        "truncated gzip", "the text ends",
        RawHTTP.response(packed.dropLast(30), "200 OK", ["Content-Encoding: gzip"])),
      .accepted("gzip without its checksum", respond(packed.dropLast(8))),
      .broken("gzip with a wrong checksum", "broke", respond(wrongSum)),
      .broken("invalid gzip", "broke", respond(page)),
      .broken("64 MiB in 64 KB of gzip", "more than 16384 KiB", respond(bomb)),
      .broken(
        "an unknown content coding", "rot13",
        [.send(RawHTTP.response(page, "200 OK", ["Content-Encoding: rot13"]))]),
    ]
  }
}
