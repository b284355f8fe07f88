import HTTP
import Testing

@Suite("Request limits")
struct LimitsTests {
  private let limits = RequestParser.Limits(requestLine: 40, headerSection: 60, headerCount: 3, body: 0)

  @Test("a request line longer than the limit is refused with 414 (RFC 9112 §3)")
  func requestLine() {
    let available = 40 - "GET / HTTP/1.0\r\n".utf8.count
    let fits = String(repeating: "a", count: available)
    #expect(refusal(of: "GET /\(fits) HTTP/1.0\r\n\r\n", limits: limits) == nil)
    #expect(refusal(of: "GET /\(fits)a HTTP/1.0\r\n\r\n", limits: limits) == 414)
  }

  @Test("a request whose method is too long is refused with 501 (RFC 9112 §3)")
  func method() {
    #expect(refusal(of: String(repeating: "A", count: 50), limits: limits) == 501)
  }

  @Test("field lines larger than the limit are refused with 431 (RFC 6585 §5)")
  func headerSection() {
    let fits = "A: " + String(repeating: "b", count: 55) + "\r\n"
    #expect(refusal(of: "GET / HTTP/1.0\r\n\(fits)\r\n", limits: limits) == nil)
    #expect(refusal(of: "GET / HTTP/1.0\r\nC\(fits)\r\n", limits: limits) == 431)
    #expect(refusal(of: "GET / HTTP/1.0\r\n" + String(repeating: "x", count: 100), limits: limits) == 431)
  }

  @Test("a request with more fields than the limit is refused with 431")
  func headerCount() {
    let line = "A: b\r\n"
    #expect(refusal(of: "GET / HTTP/1.0\r\n" + line + line + line + "\r\n", limits: limits) == nil)
    #expect(refusal(of: "GET / HTTP/1.0\r\n" + line + line + line + line, limits: limits) == 431)
  }

  @Test("the limits apply to each request on a connection separately")
  func anew() {
    let one = "GET / HTTP/1.1\r\nHost: " + String(repeating: "b", count: 30) + "\r\nA: b\r\n\r\n"
    #expect(outcomes(of: one + one + one, limits: limits).count == 3)
  }

  @Test("the presets of the request limits have the documented values")
  func callback() {
    #expect(RequestParser.Limits.callback == .init(requestLine: 8192, headerSection: 16384, headerCount: 100, body: 0))
    #expect(RequestParser.Limits.control.body == 65536)
    #expect(RequestParser.Limits.sandbox.body == 1_048_576)
  }

  @Test("after an error, the request parser ignores further input")
  func refusedForGood() {
    var parser = RequestParser(limits: .callback)
    parser.feed(Array("\n".utf8))
    let first = parser.next()
    parser.feed(Array("GET / HTTP/1.0\r\n\r\n".utf8))
    #expect(parser.next() == first)
  }

  @Test("the request parser is idle before the first byte and between requests")
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
