import HTTP
import Testing

@Suite("Responses (RFC 9112 §4)")
struct ResponseTests {
  private func text(
    _ response: Response, for request: Request? = nil, closing: Bool = false, date: FieldValue? = nil
  ) -> String {
    String(decoding: response.serialized(for: request, closing: closing, date: date), as: UTF8.self)
  }

  private func get(_ method: RequestMethod = .get, _ version: HTTPVersion = .http11) -> Request {
    Request(method: method, target: RequestTarget("/")!, version: version)
  }

  private let hello = Response(status: .ok, headers: ["Content-Type": "text/plain"], body: Array("hello".utf8))

  @Test("a response is serialized as head and body in one piece")
  func whole() {
    #expect(
      text(hello, for: get(), date: "Sun, 06 Nov 1994 08:49:37 GMT")
        == "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/plain\r\n"
        + "Content-Length: 5\r\n\r\nhello")
  }

  @Test("a response to HEAD has the same headers as a response to GET and no body (RFC 9110 §9.3.2)")
  func head() {
    #expect(text(hello, for: get(.head)) + "hello" == text(hello, for: get()))
  }

  @Test("the Connection field of a response is close, or keep-alive for HTTP/1.0 (§9.3, §9.6)")
  func connection() {
    #expect(text(hello, for: get(), closing: true).contains("\r\nConnection: close\r\n"))
    #expect(text(hello, for: get(.get, .http10), closing: false).contains("\r\nConnection: keep-alive\r\n"))
    #expect(!text(hello, for: get()).contains("Connection"))
    #expect(text(hello, closing: true).contains("\r\nConnection: close\r\n"))
  }

  @Test(
    "responses with status 204 and 304 have neither Content-Length nor a body (RFC 9110 §8.6)", arguments: [204, 304])
  func bodiless(_ code: Int) {
    let response = text(Response(status: StatusCode(code), body: [1, 2, 3]), for: get())
    #expect(!response.contains("Content-Length") && response.hasSuffix("\r\n\r\n"))
  }

  @Test("framing fields among a response's headers are replaced")
  func framing() {
    var response = hello
    response.headers.append("content-length", "999")
    response.headers.append("Transfer-Encoding", "chunked")
    response.headers.append("Connection", "upgrade")
    #expect(text(response, for: get()) == text(hello, for: get()))
  }

  @Test("a known status has its reason phrase (RFC 9110 §15), and an unknown status has an empty one")
  func phrases() {
    #expect(text(Response(status: .misdirectedRequest)).hasPrefix("HTTP/1.1 421 Misdirected Request\r\n"))
    #expect(text(Response(status: StatusCode(299))).hasPrefix("HTTP/1.1 299 \r\n"))
    #expect(StatusCode(431).reasonPhrase == "Request Header Fields Too Large")
  }

  @Test("the response to an invalid request contains the reason in plain text")
  func refusal() {
    let error = RequestError(.badRequest, "more than one Host field")
    #expect(text(Response(error), closing: true).hasSuffix("\r\n\r\n400 Bad Request: more than one Host field\n"))
  }

  @Test("a serialized request parses back to the same request")
  func roundTrip() throws {
    var request = Request(
      method: .post, target: RequestTarget("/statuses?a=b")!, headers: ["Host": "localhost:1", "A": "b"],
      body: Array("c=d".utf8))
    let text = String(decoding: request.serialized(), as: UTF8.self)
    request.headers.append("Content-Length", "3")
    #expect(try HTTPTests.request(in: text) == request)
  }
}
