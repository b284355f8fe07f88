import Platform
import TestSupport
import Testing

@Suite("Malformed requests to the login listener") struct ListenerFuzzTests {
  @Test(
    "Thousands of mutated callbacks get an error or a closed connection, and none completes the login",
    arguments: 1...4
  )
  func bent(seed: Int) async throws {
    let abused = try await LoginUnderAttack()
    let callback = abused.callback
    // The login's own token with a different last letter.
    let token = abused.token.dropLast() + (abused.token.hasSuffix("A") ? "B" : "A")
    let (statuses, wrong) = try await OwnThread.run {
      var mutations = CallbackMutations(
        seed: UInt64(seed), path: callback.path, token: String(token), authority: callback.authority)
      var statuses: [Int: Int] = [:]
      var wrong: [String] = []
      for _ in 0..<750 {
        let message = mutations.next()
        let connection = try TestClient(port: callback.port)
        // The server may refuse a request and close the connection early. Sending then fails, or a reset discards the response.
        try? connection.send(message)
        connection.endOutput()
        let response = String(decoding: (try? connection.receiveToEnd()) ?? [], as: UTF8.self)
        connection.reset()
        let status = response.isEmpty ? 0 : Int(response.dropFirst(9).prefix(3)) ?? -1
        statuses[status, default: 0] += 1
        let isKnown = [0, 100, 400, 404, 405, 408, 413, 414, 417, 421, 429, 431, 501, 505].contains(status)
        if !isKnown || response.contains("HTTP/1.1 303") {
          wrong.append("\(String(decoding: message, as: UTF8.self)) \(response)")
        }
      }
      return (statuses, wrong)
    }
    #expect(wrong.isEmpty, "\(wrong)")
    // The mutations are small, so that the requests reach every check in the parser.
    for status in [0, 400, 421, 429] { #expect(statuses[status, default: 0] > 0, "\(statuses)") }
    try await abused.finish()
  }
}

/// Random mutations of callback requests. The same seed yields the same requests.
private struct CallbackMutations {
  private var generator: SeededGenerator
  private let seeds: [[UInt8]]

  /// - Parameter token: a token that belongs to no login.
  init(seed: UInt64, path: String, token: String, authority: String) {
    generator = SeededGenerator(seed: seed)
    let target = "\(path)?oauth_token=\(token)&oauth_verifier=V"
    seeds = [
      "GET \(target) HTTP/1.1\r\nHost: \(authority)\r\nAccept: text/html\r\nCookie: a=b; c=d\r\nConnection: keep-alive\r\n\r\n",
      "GET http://\(authority)\(target) HTTP/1.1\r\nHost: \(authority)\r\nSec-Fetch-Dest: document\r\n\r\n",
      "GET \(path)?state=\(token)&code=C&iss=https%3A%2F%2Fx.example HTTP/1.1\r\nHost: localhost:\(authority.split(separator: ":").last!)\r\n\r\n",
      "POST \(path) HTTP/1.1\r\nHost: \(authority)\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nT: x\r\n\r\n",
      "GET \(path)/done/\(token) HTTP/1.1\r\nHost: \(authority)\r\n\r\nHEAD \(path)?denied=\(token) HTTP/1.0\r\n\r\n",
    ].map { Array($0.utf8) }
  }

  /// Fragments known to break HTTP parsers.
  private static let pieces = [
    "\r\n", "\n", "\r", "\0", " ", "\t", ":", "%", "%00", "%2", "&", "=", "?", "#", "..", "//", "\u{ff}", "\u{202e}",
    "HTTP/1.1", "HTTP/0.9", "Host: a\r\n", "Content-Length: 99999999999999999999\r\n", "Transfer-Encoding: chunked\r\n",
    "Expect: 100-continue\r\n", "Upgrade: websocket\r\nConnection: Upgrade\r\n", "Range: bytes=0-,1-,2-\r\n",
    "oauth_token=", "oauth_verifier=", "denied=", "error=", "[::1]", "-1", "\u{80}\u{81}",
    "X: " + String(repeating: "y", count: 9000),
  ].map { Array($0.utf8) }

  /// Generates the next request, with one to four mutations.
  mutating func next() -> [UInt8] {
    var bytes = seeds.randomElement(using: &generator)!
    for _ in 0...Int.random(in: 0...3, using: &generator) { bend(&bytes) }
    return bytes
  }

  private mutating func bend(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let offset = Int.random(in: 0..<bytes.count, using: &generator)
    let length = min(Int.random(in: 1...40, using: &generator), bytes.count - offset)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
    case 2: bytes.removeSubrange(offset..<(offset + length))
    case 3: bytes.insert(contentsOf: bytes[offset..<(offset + length)], at: offset)
    case 4: bytes.removeSubrange(offset...)
    default: bytes.insert(contentsOf: Self.pieces.randomElement(using: &generator)!, at: offset)
    }
  }
}
