import HTTP
import Testing

@Suite struct ResponseParserTests {
  /// What an answer comes to, its content in one piece.
  private struct Answer: Equatable {
    var status: Int?
    var headers = HeaderFields()
    var content = ""
    var isWhole = false
    var fault: String?
  }

  private func answer(
    in pieces: [ArraySlice<UInt8>], to method: RequestMethod, limits: ResponseParser.Limits, closes: Bool
  ) -> Answer {
    var parser = ResponseParser(to: method, limits: limits)
    var answer = Answer()
    func take(_ outcome: ResponseParser.Outcome) -> Bool {
      switch outcome {
      case .incomplete: return false
      case .head(let status, let headers): (answer.status, answer.headers) = (status.code, headers)
      case .content(let bytes):
        #expect(!bytes.isEmpty)
        answer.content += String(decoding: bytes, as: UTF8.self)
      case .end:
        #expect(!answer.isWhole, "the end is said once")
        answer.isWhole = true
      case .malformed(let fault):
        answer.fault = fault.description
        return false
      }
      return true
    }
    for piece in pieces {
      parser.feed(piece)
      while take(parser.next()) {}
    }
    if closes { _ = take(parser.close()) }
    return answer
  }

  /// The same whatever the cut: whole, in two at every byte, and byte by byte.
  private func answer(
    in text: String, to method: RequestMethod = .get, limits: ResponseParser.Limits = ResponseParser.Limits(),
    closes: Bool = true
  ) -> Answer {
    let bytes = Array(text.utf8)
    let whole = answer(in: [bytes[...]], to: method, limits: limits, closes: closes)
    for cut in bytes.indices {
      #expect(
        answer(in: [bytes[..<cut], bytes[cut...]], to: method, limits: limits, closes: closes) == whole,
        "cut at \(cut)")
    }
    #expect(
      answer(in: bytes.indices.map { bytes[$0...$0] }, to: method, limits: limits, closes: closes) == whole,
      "byte by byte")
    return whole
  }

  @Test("an answer with a length ends where its length says, and what follows is nobody's")
  func length() {
    let answer = answer(in: "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 3\r\n\r\nabcdef", closes: false)
    #expect(answer == Answer(status: 200, headers: ["A": "b", "Content-Length": "3"], content: "abc", isWhole: true))
  }

  @Test("chunks are taken together, their extensions and trailers dropped")
  func chunked() {
    let answer = answer(
      in:
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=\"y\"\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
      closes: false)
    #expect(answer.content == "abc0123456789")
    #expect(answer.isWhole)
    #expect(answer.headers.first("T") == nil)
  }

  @Test("without length and coding the connection's end is the answer's, and nothing before it")
  func untilClose() {
    let text = "HTTP/1.1 200 OK\r\n\r\nabc\r\n"
    #expect(answer(in: text).content == "abc\r\n")
    #expect(answer(in: text).isWhole)
    #expect(!answer(in: text, closes: false).isWhole)
    #expect(answer(in: "HTTP/1.0 404 Not Found\r\n\r\n").isWhole)
  }

  @Test("answers without content end with their head")
  func noContent() {
    for text in [
      "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 \r\nContent-Length: 5\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    ] { #expect(answer(in: text, closes: false).isWhole, "\(text)") }
    let head = answer(in: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", to: .head, closes: false)
    #expect(head.isWhole)
  }

  @Test("interim answers are passed over, eight of them")
  func interim() {
    let interim = "HTTP/1.1 100 Continue\r\nX: y\r\n\r\n"
    let final = "HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx"
    let answer = answer(in: String(repeating: interim, count: 8) + final)
    #expect(answer == Answer(status: 201, headers: ["Content-Length": "1"], content: "x", isWhole: true))
    #expect(self.answer(in: String(repeating: interim, count: 9) + final).fault == "too many interim answers")
    #expect(self.answer(in: "HTTP/1.1 101 Switching Protocols\r\n\r\n").fault != nil)
  }

  @Test(
    "an answer that ends too early is told from a whole one, wherever it ends",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n",
    ])
  func early(_ text: String) {
    let bytes = Array(text.utf8)
    for end in bytes.indices {
      let answer = answer(in: [bytes[..<end]], to: .get, limits: ResponseParser.Limits(), closes: true)
      #expect(!answer.isWhole)
      #expect(answer.fault == "the connection ended in the middle of the answer")
    }
    #expect(answer(in: text).isWhole)
  }

  @Test(
    "what is no answer is refused, and stays so",
    arguments: [
      "\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/2 200 OK\r\n\r\n",
      "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 600 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n",
      "http/1.1 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n", "HTTP/1.1 200 OK\n\n", "HTTP/1.1 200 O\u{7f}K\r\n\r\n",
      "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\n A: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT\r\n\r\n",
    ])
  func malformed(_ text: String) {
    let answer = answer(in: text)
    #expect(answer.fault != nil)
    #expect(!answer.isWhole)
  }

  @Test("the head's limits hold to the byte")
  func limits() {
    let limits = ResponseParser.Limits(statusLine: 17, headerSection: 12, headerCount: 2)
    func fault(_ text: String) -> String? { answer(in: text, limits: limits).fault }
    #expect(fault("HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n\r\n") == nil)
    #expect(fault("HTTP/1.1 200 OKK\r\n\r\n") == "the status line is too long")
    #expect(fault("HTTP/1.1 200 OK\r\nA: b\r\nC: de\r\n\r\n") != nil)
    #expect(fault("HTTP/1.1 200 OK\r\nA:\r\nB:\r\nC:\r\n\r\n") == "too many header fields")
  }
}
