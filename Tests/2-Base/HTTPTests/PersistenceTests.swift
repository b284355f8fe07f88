import HTTP
import Testing

@Suite("Persistent connections (RFC 9112 §9.3)")
struct PersistenceTests {
  @Test(
    "the HTTP version and the Connection field determine whether the connection stays open",
    arguments: [
      ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
      ("HTTP/1.1", "Connection: keep-alive\r\n", true),
      ("HTTP/1.1", "Connection: upgrade, CLOSE\r\n", false), ("HTTP/1.1", "Connection: keep-alive, close\r\n", false),
      ("HTTP/1.1", "Connection: a\r\nConnection: b, close\r\n", false), ("HTTP/1.1", "Connection: closed\r\n", true),
      ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
      ("HTTP/1.0", "Connection: keep-alive, close\r\n", false), ("HTTP/1.0", "Connection: x\r\n", false),
    ])
  func persistence(version: String, fields: String, keeps: Bool) throws {
    #expect(try request(in: "GET / \(version)\r\nHost: a\r\n\(fields)\r\n").keepsAlive == keeps)
  }

  @Test("pipelined requests are returned in order (§9.3.2)")
  func pipelining() {
    let text = (1...5).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
    let paths = outcomes(of: text).map { outcome in
      guard case .request(let request) = outcome else { return "" }
      return request.target.path
    }
    #expect(paths == ["/1", "/2", "/3", "/4", "/5"])
  }
}
