import HTTP
import Testing

@Suite("The request line (RFC 9112 §3)")
struct RequestLineTests {
  @Test("a request is parsed into method, target, version and fields")
  func plain() throws {
    let request = try request(in: "GET /callback?oauth_token=a%2Fb&x=+ HTTP/1.1\r\nHost: 127.0.0.1:8765\r\nA:b\r\n\r\n")
    #expect(request.method == .get)
    #expect(request.target.path == "/callback")
    #expect(request.target.query == "oauth_token=a%2Fb&x=+")
    #expect(request.version == .http11)
    #expect(request.headers == ["Host": "127.0.0.1:8765", "A": "b"])
    #expect(request.body == [] && !request.announcesBody)
  }

  @Test("one empty line before the request line is ignored, and a second one is refused (RFC 9112 §2.2)")
  func emptyLine() throws {
    _ = try request(in: "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(refusal(of: "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n") == 400)
  }

  @Test("an empty line is ignored before each request on a connection")
  func emptyLineBetween() {
    let one = "GET / HTTP/1.1\r\nHost: a\r\n\r\n\r\n"
    #expect(outcomes(of: one + one).count == 2)
  }

  @Test(
    "a malformed request line is refused with 400",
    arguments: [
      "GET /\r\n\r\n", "GET  / HTTP/1.1\r\n", "GET / HTTP/1.1 \r\n", " GET / HTTP/1.1\r\n", "GET /a b HTTP/1.1\r\n",
      "GET\t/ HTTP/1.1\r\n", "G(T / HTTP/1.1\r\n", "GET / HTTP/1\r\n", "GET / http/1.1\r\n", "GET / HTTP/1.1x\r\n",
      "GET / HTTP/1,1\r\n", "GET / HTTP/11.1\r\n", "GET a HTTP/1.1\r\n", "GET /\u{e4} HTTP/1.1\r\n",
      "GET /#a HTTP/1.1\r\n",
      "GET * HTTP/1.1\r\n", "GET example.org:80 HTTP/1.1\r\n", "CONNECT / HTTP/1.1\r\n",
      "CONNECT example.org HTTP/1.1\r\n",
      "GET http:///a HTTP/1.1\r\n", "GET http://user@example.org/ HTTP/1.1\r\n", "GET http:a HTTP/1.1\r\n",
      "GET 1http://a/ HTTP/1.1\r\n", "\u{16}\u{3}\u{1}", "GET /\u{0} HTTP/1.1\r\n", "GET / HTTP/1.1\n", "\n",
      "GET / HTTP/1.1\r\r\n", "\rGET / HTTP/1.1\r\n", "GET /\u{7f} HTTP/1.1\r\n",
    ])
  func malformed(_ text: String) {
    #expect(refusal(of: text) == 400)
  }

  @Test(
    "requests with a different major version, including the HTTP/2 preface, are refused with 505 (RFC 9110 §15.6.6)",
    arguments: ["GET / HTTP/2.0\r\n", "GET / HTTP/0.9\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"])
  func version(_ text: String) {
    #expect(refusal(of: text) == 505)
  }

  @Test("requests with a higher minor version are treated as HTTP/1.1 (RFC 9110 §2.5)")
  func minorVersion() throws {
    #expect(try request(in: "GET / HTTP/1.7\r\nHost: a\r\n\r\n").version == .http11)
    #expect(refusal(of: "GET / HTTP/1.7\r\n\r\n") == 400)
  }

  @Test("any token is accepted as a request method, and its letter case is kept (RFC 9110 §9.1)")
  func methods() throws {
    #expect(try request(in: "get / HTTP/1.0\r\n\r\n").method != .get)
    #expect(try request(in: "M-SEARCH / HTTP/1.0\r\n\r\n").method.name == "M-SEARCH")
  }

  @Test("the parser returns no outcome for an incomplete request")
  func incomplete() {
    #expect(outcomes(of: "GET / HTTP/1.1\r\nHost: a\r\n\r") == [])
  }
}
