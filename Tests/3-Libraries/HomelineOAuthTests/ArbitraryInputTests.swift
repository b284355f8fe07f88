import Bytes
import HomelineOAuth
import Testing

/// Randomly altered input for all OAuth 1.0a parsers. The random numbers are the same in every run. No input may cause a crash, and input
/// that is accepted must be written back unchanged.
@Suite("Arbitrary OAuth 1.0a input")
struct ArbitraryInputTests {
  /// The SplitMix64 random number generator.
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  static let seeds = [
    "https://user@[::1]:8765/a%2Fb?x=1&y=%zz#f", "http://127.0.0.1/cb?oauth_token=T&oauth_verifier=V&denied=X",
    "OAuth realm=\"a\\\"b\", oauth_token=\"a%20b\",\r\n oauth_nonce=\"\"", "a=1&&b=%41+%&=c&d",
    #"{"errors":[{"code":32,"message":"\ud83d\ude00"}],"a":-1.5e3}"#,
    "<errors><error code=\"415\">x &amp; y</error></errors>",
    "Expired timestamp, yours 1, ours 99999999999999999999",
    "oauth_problem=timestamp_refused&oauth_acceptable_timestamps=9-8",
  ]

  @Test("altered OAuth 1.0a input never crashes a parser", arguments: 0..<8)
  func bent(seed: Int) throws {
    var random = Random(state: UInt64(seed))
    var taken = 0
    for _ in 0..<250 {
      var bytes = Array(Self.seeds[seed].utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(3), at: place)
        }
      }
      taken += try readAll(bytes)
    }
    #expect(taken > 0)
  }

  /// Returns the number of parsers that accepted the input.
  private func readAll(_ bytes: [UInt8]) throws -> Int {
    let text = String(decoding: bytes, as: UTF8.self)
    var taken = 0
    if let url = try? RequestURL(text) {
      #expect(try RequestURL(url.text) == url)
      taken += 1
    }
    if let header = try? AuthorizationHeader(parsing: text) {
      #expect(try AuthorizationHeader(parsing: header.value) == header)
      taken += 1
    }
    if let form = try? FormEncoding.decode(bytes) {
      #expect(try FormEncoding.decode(FormEncoding.encode(form)) == form)
      taken += 1
    }
    if case .granted(let token, _) = Callback(query: bytes) {
      #expect(!token.isEmpty)
      taken += 1
    }
    if PastedRedirect(text) != .unrecognized { taken += 1 }
    if let refusal = OAuth.ProviderError(OAuthResponse(status: 400, challenges: [text], body: bytes), expecting: "x") {
      #expect(refusal.message.count <= 301)
      taken += 1
    }
    return taken
  }
}
