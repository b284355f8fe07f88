import HTTP
import Testing

@Suite("Content that leaves the parser in pieces")
struct ContentPiecesTests {
  /// Parses messages that are fed in pieces of this size, with the limit for each request. Pieces of content are joined.
  private func outcomes(
    _ text: String, by size: Int, _ limit: (Request) -> ContentLimit
  ) -> [RequestParser.Outcome] {
    var parser = RequestParser(limits: .callback, asksForLimits: true)
    var all: [RequestParser.Outcome] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      parser.feed(rest.prefix(size))
      rest = rest.dropFirst(size)
      drain: while true {
        let outcome = parser.next()
        switch (outcome, all.last) {
        case (.incomplete, _): break drain
        case (.refused, _): return all + [outcome]
        case (.content(let more), .content(let piece)): all[all.count - 1] = .content(piece + more)
        case (.head(let head), _):
          all.append(outcome)
          parser.admit(limit(head))
        default: all.append(outcome)
        }
      }
    }
    return all
  }

  private func names(_ outcomes: [RequestParser.Outcome]) -> [String] {
    outcomes.map { outcome in
      switch outcome {
      case .incomplete: "incomplete"
      case .head: "head"
      case .continueExpected: "continue"
      case .contentBegan(let length): "began \(length.map(String.init) ?? "-")"
      case .content(let piece): String(decoding: piece, as: UTF8.self)
      case .request(let request): "request \(String(decoding: request.body, as: UTF8.self))"
      case .refused(let error): "\(error.status.code)"
      }
    }
  }

  private static let ten = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n"
  private static let chunked =
    "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n3\r\nhij\r\n0\r\n\r\n"
  private static let sizes = [1, 2, 7, 1000]

  @Test("content longer than the request may hold is announced, and leaves in pieces", arguments: sizes)
  func pieces(size: Int) {
    let got = outcomes(Self.ten + "\r\n0123456789" + Self.chunked + Self.ten + "\r\n0123456789", by: size) { _ in
      ContentLimit(total: 10, inRequest: 5)
    }
    #expect(
      names(got) == [
        "head", "began 10", "0123456789", "request ", "head", "began -", "abcdefghij", "request ", "head", "began 10",
        "0123456789", "request ",
      ])
  }

  @Test("content that the request may hold is in the request", arguments: sizes)
  func short(size: Int) {
    let got = outcomes(Self.ten + "\r\n0123456789" + Self.chunked, by: size) { _ in
      ContentLimit(total: 10, inRequest: 10)
    }
    #expect(names(got) == ["head", "request 0123456789", "head", "request abcdefghij"])
  }

  @Test("the limit of each request is decided from its head", arguments: sizes)
  func routes(size: Int) {
    let got = outcomes(Self.ten + "\r\n0123456789" + Self.chunked, by: size) { head in
      ContentLimit(total: head.target.path == "/a" ? 10 : 9, inRequest: 4)
    }
    // The chunk that exceeds the limit is refused from its size.
    #expect(names(got) == ["head", "began 10", "0123456789", "request ", "head", "began -", "abcdefg", "413"])
  }

  @Test("too much content is refused instead of asked for", arguments: sizes)
  func expectation(size: Int) {
    let text = Self.ten + "Expect: 100-continue\r\n\r\n0123456789"
    #expect(names(outcomes(text, by: size) { _ in ContentLimit(total: 9) }) == ["head", "413"])
    #expect(
      names(outcomes(text, by: size) { _ in ContentLimit(total: 10) }) == ["head", "continue", "request 0123456789"])
    #expect(
      names(outcomes(text, by: size) { _ in ContentLimit(total: 10, inRequest: 9) })
        == ["head", "began 10", "continue", "0123456789", "request "])
  }

  @Test("with a limit of 0, no content is read, and the request says so", arguments: sizes)
  func unread(size: Int) throws {
    let got = outcomes(Self.ten + "\r\n0123456789", by: size) { _ in ContentLimit(total: 0) }
    #expect(names(got) == ["head", "request "])
    guard case .request(let request)? = got.last else { return }
    #expect(request.announcesBody && !request.keepsAlive)
  }

  @Test("a request without content has no limit to ask for")
  func none() {
    let got = outcomes("GET / HTTP/1.1\r\nHost: a\r\n\r\n", by: 5) { _ in ContentLimit(total: 0) }
    #expect(names(got) == ["request "])
  }
}
