import Testing

@testable import HTTP

@Suite("The Host field (RFC 9112 §3.2)")
struct HostTests {
  @Test("HTTP/1.1 requests without exactly one Host field are refused")
  func count() {
    #expect(refusal(of: "GET / HTTP/1.1\r\n\r\n") == 400)
    #expect(refusal(of: "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n") == 400)
    #expect(refusal(of: "GET http://a/ HTTP/1.1\r\n\r\n") == 400)
  }

  @Test("HTTP/1.0 requests may omit Host, but must not repeat it")
  func old() throws {
    #expect(try request(in: "GET / HTTP/1.0\r\n\r\n").authority == nil)
    #expect(refusal(of: "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n") == 400)
  }

  @Test(
    "a request with a malformed Host field is refused",
    arguments: [
      "a b", "a, b", "a/", "user@a", "a:b", "a:-1", "a:+1", "a:65536", "a:1:2", "::1", "[::1", "[]", "[::1]a",
      "[::1]:x",
      "a%", "a%2", "a%zz", "http://a", "\u{e4}", "[a/b]",
    ])
  func malformed(_ host: String) {
    #expect(refusal(of: "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == 400)
    #expect(Authority(host) == nil)
  }

  @Test(
    "a well-formed Host field is parsed into host and port",
    arguments: [
      ("localhost:8765", "localhost", 8765), ("[::1]:80", "[::1]", 80), ("127.0.0.1", "127.0.0.1", nil),
      ("a:", "a", nil), ("a%2fb:065", "a%2fb", 65), ("", "", nil), ("[v1.a:b]", "[v1.a:b]", nil),
      ("a_b!$", "a_b!$", nil),
    ] as [(String, String, UInt16?)])
  func wellFormed(text: String, host: String, port: UInt16?) throws {
    let request = try request(in: "GET / HTTP/1.1\r\nHost: \(text)\r\n\r\n")
    #expect(request.authority == Authority(host: host, port: port))
  }

  @Test(
    "loopback names with the server's port are accepted case-insensitively",
    arguments: ["127.0.0.1:8765", "[::1]:8765", "localhost:8765", "LocalHost:8765"])
  func ours(_ host: String) {
    #expect(LoopbackHost.accepts(host, port: 8765))
  }

  @Test(
    "hosts other than the server's loopback names are not accepted",
    arguments: [
      "evil.example:8765", "127.0.0.1", "127.0.0.1:8766", "localhost.:8765", "localhost.evil.example:8765",
      "127.0.0.2:8765", "[::2]:8765", "::1:8765", "0.0.0.0:8765", "2130706433:8765", "", ":8765",
      "[0:0:0:0:0:0:0:1]:8765",
    ])
  func foreign(_ host: String) {
    #expect(!LoopbackHost.accepts(host, port: 8765))
  }

  @Test("a missing port in the Host field means port 80 (RFC 9110 §4.2.1)")
  func defaultPort() {
    #expect(LoopbackHost.accepts("localhost", port: 80))
    #expect(LoopbackHost.accepts("localhost:", port: 80))
    #expect(LoopbackHost.accepts("localhost:80", port: 80))
    #expect(!LoopbackHost.accepts("localhost:81", port: 80))
    #expect(!LoopbackHost.accepts(nil, port: 80))
  }
}

extension LoopbackHost {
  /// Checks a `Host` field's value.
  fileprivate static func accepts(_ host: String?, port: UInt16) -> Bool {
    host.flatMap { Authority($0) }.map { accepts($0, port: port) } ?? false
  }
}
