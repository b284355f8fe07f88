import HTTP
import Testing

@Suite struct ResponseReaderTests {
  private struct Outcome: Equatable {
    var status: Int?
    var content = ""
    /// Whether the response is complete while the connection is open.
    var isComplete = false
    /// Whether the response would be complete if the connection ended.
    var mayEnd = false
    var error: String?
  }

  private func outcome(of pieces: [ArraySlice<UInt8>]) -> Outcome {
    var reader = ResponseReader()
    var outcome = Outcome()
    do throws(ResponseError) {
      for piece in pieces { outcome.content += String(decoding: try reader.take(Array(piece)), as: UTF8.self) }
      outcome.status = reader.head.map { Int($0.status.code) }
      (outcome.isComplete, outcome.mayEnd) = (reader.isComplete, reader.mayEnd)
    } catch { outcome.error = error.description }
    return outcome
  }

  /// Checks that the outcome does not depend on how the input is split.
  private func outcome(of text: String) -> Outcome {
    let bytes = Array(text.utf8)
    let whole = outcome(of: [bytes[...]])
    func matches(_ other: Outcome) -> Bool {
      // The reader may find an error before or after it has returned other content.
      whole.error == nil ? other == whole : other.error == whole.error
    }
    for cut in bytes.indices { #expect(matches(outcome(of: [bytes[..<cut], bytes[cut...]])), "cut at \(cut)") }
    #expect(matches(outcome(of: bytes.indices.map { bytes[$0...$0] })), "byte by byte")
    return whole
  }

  @Test("a response with Content-Length is complete once its content has arrived, and later bytes are ignored")
  func length() {
    let outcome = outcome(of: "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 3\r\n\r\nabcdef")
    #expect(outcome == Outcome(status: 200, content: "abc", isComplete: true, mayEnd: true))
    let early = self.outcome(of: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab")
    #expect(early == Outcome(status: 200, content: "ab", isComplete: false, mayEnd: false))
  }

  @Test("a response without Content-Length ends with the connection")
  func untilClose() {
    let outcome = outcome(of: "HTTP/1.1 404 Not Found\r\n\r\nabc\r\n")
    #expect(outcome == Outcome(status: 404, content: "abc\r\n", isComplete: false, mayEnd: true))
  }

  @Test(
    "a response without content is complete after its head",
    arguments: ["204 No Content\r\n", "304 \r\nContent-Length: 5\r\n", "200 OK\r\nContent-Length: 0\r\n"])
  func noContent(_ text: String) { #expect(outcome(of: "HTTP/1.1 \(text)\r\n").isComplete) }

  @Test("a response is incomplete if the connection ends within the head")
  func early() {
    let bytes = Array("HTTP/1.1 200 OK\r\nA: b\r\n\r\n".utf8)
    for end in bytes.indices { #expect(!outcome(of: [bytes[..<end]]).mayEnd) }
  }

  @Test(
    "malformed responses and responses that HTTP/1.0 does not allow are refused",
    arguments: [
      "\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/2 200 OK\r\n\r\n",
      "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 600 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n",
      "http/1.1 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n", "HTTP/1.1 200 OK\n\n", "HTTP/1.1 200 O\u{7f}K\r\n\r\n",
      "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\n A: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: gzip\r\n\r\n",
    ])
  func malformed(_ text: String) { #expect(outcome(of: text).error != nil) }

  @Test("a response head of more than 16 KiB or 100 fields is refused")
  func limits() {
    func fields(_ count: Int) -> String { String(repeating: "A:\r\n", count: count) }
    #expect(outcome(of: [Array("HTTP/1.1 200 OK\r\n\(fields(100))\r\n".utf8)[...]]).error == nil)
    #expect(
      outcome(of: [Array("HTTP/1.1 200 OK\r\n\(fields(101))\r\n".utf8)[...]]).error == "too many header fields")
    let long = "HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 16_384))\r\n\r\n"
    #expect(outcome(of: [Array(long.utf8)[...]]).error == "the response head is too large")
  }
}
