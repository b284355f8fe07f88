import HTTP
import Testing

@Suite("Responses of unknown length (RFC 9112 §6.3, §7.1)")
struct StreamFramingTests {
  private let response = Response(
    status: .ok, headers: ["Content-Type": "application/jsonl", "Content-Length": "7"], body: [1, 2, 3])

  private func request(_ method: RequestMethod = .get, _ version: HTTPVersion = .http11) -> Request {
    Request(method: method, target: RequestTarget("/")!, version: version)
  }

  private func head(_ request: Request, closing: Bool = false) -> String {
    let framing = response.framing(to: request)
    return String(decoding: response.serializedHead(for: request, framing: framing, closing: closing), as: UTF8.self)
  }

  @Test("HTTP/1.1 clients get a stream as chunks with their sizes, followed by an empty chunk")
  func chunked() {
    #expect(
      head(request()) == "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n")
    let framing = response.framing(to: request())
    #expect(framing.framed(Array("hello, world, hello".utf8)) == Array("13\r\nhello, world, hello\r\n".utf8))
    #expect(framing.framed([]) == [], "an empty chunk would end the stream")
    #expect(framing.end == Array("0\r\n\r\n".utf8))
  }

  @Test("HTTP/1.0 clients get the plain content until the connection ends, even if they requested keep-alive")
  func old() {
    var request = request(.get, .http10)
    request.headers.append("Connection", "keep-alive")
    #expect(head(request) == "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nConnection: close\r\n\r\n")
    let framing = response.framing(to: request)
    #expect(framing.framed([1, 2]) == [1, 2] && framing.end == [])
  }

  @Test("streamed responses to HEAD and with status 204 and 304 have no content")
  func none() {
    for framing in [
      response.framing(to: request(.head)),
      Response(status: StatusCode(204)).framing(to: request()),
      Response(status: StatusCode(304)).framing(to: request()),
    ] {
      #expect(framing == .none && framing.framed([1]) == [] && framing.end == [])
    }
    #expect(!head(request(.head)).contains("Content-Length"))
  }
}
