import TestSupport

/// Random mutations of callback requests. The same seed yields the same requests.
struct CallbackMutations {
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

  /// Fragments that are known to break HTTP parsers.
  private static let pieces = [
    "\r\n", "\n", "\r", "\0", " ", "\t", ":", "%", "%00", "%2", "&", "=", "?", "#", "..", "//", "\u{ff}", "\u{202e}",
    "HTTP/1.1", "HTTP/0.9", "Host: a\r\n", "Content-Length: 99999999999999999999\r\n", "Transfer-Encoding: chunked\r\n",
    "Expect: 100-continue\r\n", "Upgrade: websocket\r\nConnection: Upgrade\r\n", "Range: bytes=0-,1-,2-\r\n",
    "oauth_token=", "oauth_verifier=", "denied=", "error=", "[::1]", "-1", "\u{80}\u{81}",
    "X: " + String(repeating: "y", count: 9000),
  ].map { Array($0.utf8) }

  /// The next request, with one to four mutations.
  mutating func next() -> [UInt8] {
    var bytes = seeds.randomElement(using: &generator)!
    for _ in 0...Int.random(in: 0...3, using: &generator) { bend(&bytes) }
    return bytes
  }

  private mutating func bend(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let length = min(Int.random(in: 1...40, using: &generator), bytes.count - place)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 2: bytes.removeSubrange(place..<(place + length))
    case 3: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
    case 4: bytes.removeSubrange(place...)
    default: bytes.insert(contentsOf: Self.pieces.randomElement(using: &generator)!, at: place)
    }
  }
}
