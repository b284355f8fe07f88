import HTTP
import Testing

@Suite struct ResponseReaderTests {
  private struct Outcome: Equatable {
    var status: Int?
    var content = ""
    /// Without the connection's end.
    var isWhole = false
    /// With it.
    var mayEnd = false
    var fault: String?
  }

  private func outcome(of pieces: [ArraySlice<UInt8>]) -> Outcome {
    var reader = ResponseReader()
    var outcome = Outcome()
    do throws(ResponseFault) {
      for piece in pieces { outcome.content += String(decoding: try reader.take(Array(piece)), as: UTF8.self) }
      outcome.status = reader.head.map { Int($0.status.code) }
      (outcome.isWhole, outcome.mayEnd) = (reader.isWhole, reader.mayEnd)
    } catch { outcome.fault = error.description }
    return outcome
  }

  /// The same whatever the cut: whole, in two at every byte, and byte by byte.
  private func outcome(of text: String) -> Outcome {
    let bytes = Array(text.utf8)
    let whole = outcome(of: [bytes[...]])
    func matches(_ other: Outcome) -> Bool {
      // A fault may be found before or after other content was handed out.
      whole.fault == nil ? other == whole : other.fault == whole.fault
    }
    for cut in bytes.indices { #expect(matches(outcome(of: [bytes[..<cut], bytes[cut...]])), "cut at \(cut)") }
    #expect(matches(outcome(of: bytes.indices.map { bytes[$0...$0] })), "byte by byte")
    return whole
  }

  @Test("A response with a length is whole when all of it has come, and what follows is ignored")
  func length() {
    let outcome = outcome(of: "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 3\r\n\r\nabcdef")
    #expect(outcome == Outcome(status: 200, content: "abc", isWhole: true, mayEnd: true))
    let early = self.outcome(of: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab")
    #expect(early == Outcome(status: 200, content: "ab", isWhole: false, mayEnd: false))
  }

  @Test("A response without a length lasts until the connection ends")
  func untilClose() {
    let outcome = outcome(of: "HTTP/1.1 404 Not Found\r\n\r\nabc\r\n")
    #expect(outcome == Outcome(status: 404, content: "abc\r\n", isWhole: false, mayEnd: true))
  }

  @Test(
    "A response without content is whole with its head",
    arguments: ["204 No Content\r\n", "304 \r\nContent-Length: 5\r\n", "200 OK\r\nContent-Length: 0\r\n"])
  func noContent(_ text: String) { #expect(outcome(of: "HTTP/1.1 \(text)\r\n").isWhole) }

  @Test("A connection that ends within the head ends too early")
  func early() {
    let bytes = Array("HTTP/1.1 200 OK\r\nA: b\r\n\r\n".utf8)
    for end in bytes.indices { #expect(!outcome(of: [bytes[..<end]]).mayEnd) }
  }

  @Test(
    "What is no response to HTTP/1.0 is refused",
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
  func malformed(_ text: String) { #expect(outcome(of: text).fault != nil) }

  @Test("A head of more than 16 KiB or 100 fields is refused")
  func limits() {
    func fields(_ count: Int) -> String { String(repeating: "A:\r\n", count: count) }
    #expect(outcome(of: [Array("HTTP/1.1 200 OK\r\n\(fields(100))\r\n".utf8)[...]]).fault == nil)
    #expect(
      outcome(of: [Array("HTTP/1.1 200 OK\r\n\(fields(101))\r\n".utf8)[...]]).fault == "too many header fields")
    let long = "HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 16_384))\r\n\r\n"
    #expect(outcome(of: [Array(long.utf8)[...]]).fault == "the head of the response is too large")
  }
}
