import HTTP
import Testing

@Suite("Request content and its framing (RFC 9112 §6, §7)")
struct BodyTests {
  private func post(_ fields: String, _ body: String = "") -> String {
    "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
  }

  @Test("Content-Length delimits the content, and later bytes belong to the next request (§6.2)")
  func length() {
    let all = outcomes(of: post("Content-Length: 5", "a\r\n\u{0}b") + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
    guard case .request(let first)? = all.first, case .request(let second)? = all.last else {
      Issue.record("\(all)")
      return
    }
    #expect(first.body == Array("a\r\n\u{0}b".utf8))
    #expect(second.target.path == "/next" && second.body == [])
  }

  @Test("a request without framing fields has no content (§6.3 rule 7)")
  func none() throws {
    #expect(try request(in: "POST / HTTP/1.1\r\nHost: a\r\n\r\n").body == [])
    #expect(try request(in: post("Content-Length: 0")).body == [])
  }

  @Test(
    "a Content-Length that is not a single number is refused (§6.3 rule 5)",
    arguments: [
      "Content-Length: +5", "Content-Length: -5", "Content-Length: 5 5", "Content-Length: 0x5", "Content-Length: 5,5",
      "Content-Length: 5, 6", "Content-Length:", "Content-Length: 5\r\nContent-Length: 6",
      "Content-Length: 5\r\ncontent-length: 5", "Content-Length: 5.0", "Content-Length: \u{665}",
    ])
  func badLength(_ fields: String) {
    #expect(refusal(of: post(fields, "hello!")) == 400)
    #expect(refusal(of: post(fields, "hello!"), limits: .callback) == 400)
  }

  @Test("content larger than the limit is refused with 413 before any of it is read")
  func tooLarge() {
    var limits = RequestParser.Limits.control
    limits.body = 5
    #expect(refusal(of: post("Content-Length: 5", "hello"), limits: limits) == nil)
    #expect(refusal(of: post("Content-Length: 6"), limits: limits) == 413)
    #expect(refusal(of: post("Content-Length: 99999999999999999999999"), limits: limits) == 413)
    #expect(refusal(of: post("Transfer-Encoding: chunked", "3\r\nabc\r\n3\r\n"), limits: limits) == 413)
    #expect(refusal(of: post("Transfer-Encoding: chunked", "ffffffffffffffffffff\r\n"), limits: limits) == 413)
  }

  @Test("the chunks of a request are joined, and extensions and trailers are discarded (§7.1)")
  func chunked() throws {
    let body =
      "4\r\nWiki\r\n0006;a=b ; c=\"d;e\"\r\npedia \r\nC \t;x\r\nin \r\n\r\nchunk\r\n0;last\r\nA: b\r\nHost: evil\r\n\r\n"
    let request = try request(in: post("transfer-encoding: Chunked", body))
    #expect(String(decoding: request.body, as: UTF8.self) == "Wikipedia in \r\n\r\nchunk")
    #expect(request.headers.all("Host") == ["a"] && request.headers.first("A") == nil)
  }

  @Test(
    "malformed chunks are refused (§7.1)",
    arguments: [
      "\r\n", "g\r\n", "-1\r\n", "+1\r\n", "0x1\r\na\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "1 1\r\n", "1\na\r\n",
      "1\r\nab\r\n",
      "1\r\na\r\r\n", "1\r\na\n", "1\r\naX\r\n0\r\n\r\n", "0\r\nA\r\n\r\n", "0\r\nA : b\r\n\r\n", "0\r\n A: b\r\n\r\n",
      "1;\u{0}\r\na\r\n", "1;a\nb\r\n",
    ])
  func badChunks(_ body: String) {
    #expect(refusal(of: post("Transfer-Encoding: chunked", body)) == 400)
  }

  @Test("the size of chunk extensions and trailers is limited (§7.1.1, §7.1.2)")
  func boundedExtensions() {
    let long = "1;" + String(repeating: "x", count: 300) + "\r\n"
    #expect(refusal(of: post("Transfer-Encoding: chunked", long)) == 400)
    let many = String(repeating: "1;" + String(repeating: "x", count: 200) + "\r\na\r\n", count: 6)
    #expect(refusal(of: post("Transfer-Encoding: chunked", many)) == 400)
    var limits = RequestParser.Limits.sandbox
    limits.headerCount = 3
    let trailers = "0\r\n" + String(repeating: "A: b\r\n", count: 4)
    #expect(refusal(of: post("Transfer-Encoding: chunked", trailers), limits: limits) == 431)
  }

  @Test(
    "a request with ambiguous framing is refused (§6.1, §11.2)",
    arguments: [
      ("Content-Length: 5\r\nTransfer-Encoding: chunked", 400),
      ("Transfer-Encoding: chunked\r\nContent-Length: 5", 400),
      ("Transfer-Encoding: chunked, chunked", 400), ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400),
      ("Transfer-Encoding: gzip, chunked", 501), ("Transfer-Encoding: chunked, identity", 501),
      ("Transfer-Encoding: xchunked", 501), ("Transfer-Encoding: identity", 501),
      ("Transfer-Encoding: \u{b}chunked", 400),
      ("Transfer-Encoding:", 400), ("Transfer-Encoding : chunked", 400), ("Transfer-Encoding: chunked;a=b", 501),
      ("Transfer-Encoding: \"chunked\"", 501),
    ])
  func smuggling(_ fields: String, _ status: Int) {
    #expect(refusal(of: post(fields, "0\r\n\r\n")) == status)
    #expect(refusal(of: post(fields, "0\r\n\r\n"), limits: .callback) == status)
  }

  @Test("HTTP/1.0 requests with a transfer coding are refused (§6.1)")
  func oldChunked() {
    #expect(refusal(of: "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == 400)
  }

  @Test(
    "with a content limit of 0, announced content is not read, and the connection cannot be kept open",
    arguments: ["Content-Length: 5", "Transfer-Encoding: chunked", "Content-Length: 99999999999999999999"])
  func announced(_ fields: String) throws {
    let request = try request(in: post(fields, "hello GET / HTTP/1.1\r\nHost: a\r\n\r\n"), limits: .callback)
    #expect(request.announcesBody && !request.keepsAlive && request.body == [])
    #expect(try !HTTPTests.request(in: post("Content-Length: 0"), limits: .callback).announcesBody)
  }

  @Test("a request with Expect: 100-continue yields one continueExpected outcome before the content (RFC 9110 §10.1.1)")
  func expectation() {
    let all = outcomes(of: post("Content-Length: 2\r\nExpect: 100-Continue", "hi"))
    #expect(all.count == 2 && all.first == .continueExpected)
    #expect(outcomes(of: post("Content-Length: 0\r\nExpect: 100-continue")).count == 1)
    #expect(outcomes(of: "POST / HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nhi").count == 1)
    #expect(outcomes(of: post("Content-Length: 2\r\nExpect: 100-continue", "hi"), limits: .callback).count == 1)
  }
}
