import HTTP
import Testing

@Suite("Limits of a request")
struct LimitsTests {
  private let limits = RequestParser.Limits(requestLine: 40, headerSection: 60, headerCount: 3, body: 0)

  @Test("a request line of the limit is taken, one byte more is 414 (RFC 9112 §3)")
  func requestLine() {
    let room = 40 - "GET / HTTP/1.0\r\n".utf8.count
    let fits = String(repeating: "a", count: room)
    #expect(refusal(of: "GET /\(fits) HTTP/1.0\r\n\r\n", limits: limits) == nil)
    #expect(refusal(of: "GET /\(fits)a HTTP/1.0\r\n\r\n", limits: limits) == 414)
  }

  @Test("a method without an end is 501 (RFC 9112 §3)")
  func method() {
    #expect(refusal(of: String(repeating: "A", count: 50), limits: limits) == 501)
  }

  @Test("field lines of the limit are taken, one byte more is 431 (RFC 6585 §5)")
  func headerSection() {
    let fits = "A: " + String(repeating: "b", count: 55) + "\r\n"
    #expect(refusal(of: "GET / HTTP/1.0\r\n\(fits)\r\n", limits: limits) == nil)
    #expect(refusal(of: "GET / HTTP/1.0\r\nC\(fits)\r\n", limits: limits) == 431)
    #expect(refusal(of: "GET / HTTP/1.0\r\n" + String(repeating: "x", count: 100), limits: limits) == 431)
  }

  @Test("fields of the limit's number are taken, one more is 431")
  func headerCount() {
    let line = "A: b\r\n"
    #expect(refusal(of: "GET / HTTP/1.0\r\n" + line + line + line + "\r\n", limits: limits) == nil)
    #expect(refusal(of: "GET / HTTP/1.0\r\n" + line + line + line + line, limits: limits) == 431)
  }

  @Test("the limits hold anew for each request of a connection")
  func anew() {
    let one = "GET / HTTP/1.1\r\nHost: " + String(repeating: "b", count: 30) + "\r\nA: b\r\n\r\n"
    #expect(outcomes(of: one + one + one, limits: limits).count == 3)
  }

  @Test("the callback takes 8 KiB of request line, 16 KiB and 100 fields of headers and no content")
  func callback() {
    #expect(RequestParser.Limits.callback == .init(requestLine: 8192, headerSection: 16384, headerCount: 100, body: 0))
    #expect(RequestParser.Limits.control.body == 65536)
    #expect(RequestParser.Limits.sandbox.body == 1_048_576)
  }

  @Test("after a refusal nothing else comes, whatever is fed")
  func refusedForGood() {
    var parser = RequestParser(limits: .callback)
    parser.feed(Array("\n".utf8))
    let first = parser.next()
    parser.feed(Array("GET / HTTP/1.0\r\n\r\n".utf8))
    #expect(parser.next() == first)
  }

  @Test("a parser is idle between requests and before the first byte")
  func idle() {
    var parser = RequestParser(limits: .callback)
    #expect(parser.isIdle)
    parser.feed(Array("\r\n".utf8))
    #expect(parser.next() == .incomplete && parser.isIdle)
    parser.feed(Array("G".utf8))
    #expect(parser.next() == .incomplete && !parser.isIdle)
    parser.feed(Array("ET / HTTP/1.0\r\n".utf8))
    #expect(parser.next() == .incomplete && !parser.isIdle)
    parser.feed(Array("\r\n".utf8))
    guard case .request = parser.next() else {
      Issue.record("no request")
      return
    }
    #expect(parser.isIdle)
  }
}
