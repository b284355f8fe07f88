import Bytes
import HomelineOAuth
import TestSupport
import Testing

/// Signatures of random requests, computed by both HomelineOAuth and oauthlib.
@Suite struct SigningPeersTests {
  @Test("The signatures of 200 random requests are the same as oauthlib's", .needsPeers, .timeLimit(.minutes(2)))
  func randomRequests() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var requests = RandomRequests(seed: seed)
    let cases = (0..<200).map { _ in requests.next() }
    let peer = try Peers.start("sign_random.py", input: .text(cases.map { $0.json + "\n" }.joined()))
    let outcome = await peer.end()
    let responses = outcome.output.split(separator: "\n")
    try #require(responses.count == cases.count, "seed \(seed): \(outcome.error)")
    for (request, line) in zip(cases, responses) {
      let response = try JSONValue(Array(line.utf8))
      let ours = try request.signed()
      #expect(
        ours.baseString.text == response["base_string"].text, "seed \(seed): \(request.json) \(response["error"])")
      #expect(ours.signature.text == response["signature"].text, "seed \(seed): \(request.json)")
    }
  }
}

/// A request for both implementations, with everything that its signature depends on.
private struct SigningCase {
  var method: String
  var url: String
  var form: [(String, String)]
  var signature: SignatureMethod
  var nonce: String
  var timestamp: Int64
  var key: String
  var secret: String
  var token: (name: String, secret: String)?
  var additional: [(String, String)]
  var sendsVersion: Bool

  func signed() throws -> Authorization {
    let role: TokenRole =
      token.map { .token(TokenCredentials(identifier: $0.name, secret: Secret($0.secret))) } ?? .none
    let signer = Signer(
      client: ClientCredentials(identifier: key, secret: Secret(secret)), token: role, method: signature,
      sendsVersion: sendsVersion)
    let request = SignableRequest(
      method: method, url: try RequestURL(url), form: form.map { Parameter($0.0, $0.1) })
    return try signer.sign(
      request, nonceTimestamp: NonceTimestamp(timestamp: timestamp, nonce: Nonce(nonce)),
      additional: additional.map { Parameter($0.0, $0.1) })
  }

  /// The input line for sign_random.py.
  var json: String {
    var oauth = [
      ("oauth_consumer_key", key), ("oauth_nonce", nonce), ("oauth_timestamp", String(timestamp)),
      ("oauth_signature_method", signature.rawValue),
    ]
    if let token { oauth.append(("oauth_token", token.name)) }
    if sendsVersion { oauth.append(("oauth_version", "1.0")) }
    let pairs = { (list: [(String, String)]) in
      "[" + list.map { "[\(Self.quoted($0.0)), \(Self.quoted($0.1))]" }.joined(separator: ", ") + "]"
    }
    return """
      {"method": \(Self.quoted(method)), "url": \(Self.quoted(url)), "form": \(pairs(form)), \
      "oauth": \(pairs(oauth + additional)), "consumer_secret": \(Self.quoted(secret)), \
      "token_secret": \(Self.quoted(token?.secret ?? ""))}
      """
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20: quoted += "\\u00" + hexadecimal(UInt8(scalar.value), capital: true)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  static func hexadecimal(_ byte: UInt8, capital: Bool) -> String {
    let digits = String(byte, radix: 16, uppercase: capital)
    return digits.count == 1 ? "0" + digits : digits
  }
}

/// Random requests. Everything that a signature depends on varies.
private struct RandomRequests {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Strings whose order, equality or bytes programs easily confuse: with common prefixes, two Unicode spellings,
  /// characters outside the BMP, or characters that only some encodings escape.
  private static let texts = [
    "", "a", "A", "a-b", "a.b", "a_b", "a~b", "aa", "a b", "a+b", "a%2Bb", "a%b", "a=b", "a&b", "b5", "=%3D", "%%", "~",
    "*", "'", "(x)", "!", "/", "?", ":", "@", "$", ",", ";", "#", "[]", "{|}", "\"", "\\", "^`<>", "é", "e\u{301}", "ß",
    "水の音", "日本語 も", "🌊", "👩‍👩‍👧", "\u{0}", "\t", "\n", "\r\n", "\u{7f}", "\u{a0}", "\u{2028}", "Ａ", "ﬁ", "oauth",
  ]

  mutating func next() -> SigningCase {
    let isForm = generator.below(3) == 0
    let url = url()
    let plain = url.isSecure && generator.below(8) == 0
    let methods: [SignatureMethod] = plain ? [.plaintext] : [.hmacSHA1, .hmacSHA256]
    return SigningCase(
      method: isForm ? "POST" : pick(["GET", "get", "POST", "Put", "DELETE", "PATCH"]), url: url.text,
      form: isForm ? (0..<generator.below(6)).map { _ in (text(), text()) } : [], signature: pick(methods),
      nonce: pick(["", "n"]) + String(generator.next(), radix: 36),
      timestamp: Int64(1 + generator.below(4_000_000_000)),
      key: "key" + text(), secret: text(), token: generator.below(4) == 0 ? nil : ("token" + text(), text()),
      additional: additional(), sendsVersion: generator.below(4) != 0)
  }

  private mutating func additional() -> [(String, String)] {
    switch generator.below(4) {
    case 0: [("oauth_callback", pick(["oob", "http://127.0.0.1:8765/callback", "http://localhost/a?b=c&d=%7E"]))]
    case 1: [("oauth_verifier", "v" + text())]
    default: []
    }
  }

  private mutating func url() -> (text: String, isSecure: Bool) {
    let isSecure = generator.below(2) == 0
    let host = pick([
      "example.org", "API.Example.ORG", "127.0.0.1", "[::1]", "xn--bcher-kva.example", "a-b.c_d.example",
    ])
    let port = pick(["", "", ":80", ":443", ":8080", ":1", ":65535"])
    let path = pick([
      "", "/", "/1.1/statuses/home_timeline.json", "/a//b", "/a/./b/../c", "/~user/x", "/%7Euser", "/a%2fb", "/a%2Fb",
      "/a%20b+c", "/%E6%B0%B4", "/w/index.php", "/(a)!*'", "/a:b@c", "/a,b=c&d",
    ])
    let scheme = pick(isSecure ? ["https", "https", "HTTPS"] : ["http", "http", "Http"])
    return ("\(scheme)://\(host)\(port)\(path)\(query())", isSecure)
  }

  /// Returns a query with repeated and empty segments, some of them without `=`.
  private mutating func query() -> String {
    guard generator.below(4) != 0 else { return pick(["", "?"]) }
    var segments: [String] = []
    for _ in 0..<(1 + generator.below(6)) {
      switch generator.below(8) {
      case 0: segments.append(escaped(text()))
      case 1: segments.append("")
      case 2: if let last = segments.last { segments.append(last) }
      default: segments.append(escaped(text()) + "=" + escaped(text()))
      }
    }
    return "?" + segments.joined(separator: "&")
  }

  /// Returns one of the many encodings of a string in a query: any character may be escaped, hexadecimal digits may be
  /// upper or lower case, and a space may be `+`.
  private mutating func escaped(_ text: String) -> String {
    var query = ""
    for byte in text.utf8 {
      let character = Character(UnicodeScalar(byte))
      if byte == 0x20, generator.below(2) == 0 {
        query += "+"
      } else if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character),
        generator.below(5) != 0
      {
        query.append(character)
      } else if ":@!*'(),/?$".contains(character), generator.below(2) == 0 {
        query.append(character)
      } else {
        query += "%" + SigningCase.hexadecimal(byte, capital: generator.below(2) == 0)
      }
    }
    return query
  }

  private mutating func text() -> String {
    (0..<(1 + generator.below(3))).map { _ in pick(Self.texts) }.joined()
  }

  private mutating func pick<Element>(_ list: [Element]) -> Element { list[generator.below(list.count)] }
}

extension SeededGenerator {
  /// Returns a random number from 0 up to, but not including, `count`.
  fileprivate mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}
