import Bytes
import HomelineOAuth
import Testing

/// Compares the signer with a literal implementation of the standard, which encodes, sorts, joins, and encodes again.
@Suite("Signatures compared with a literal implementation")
struct SigningByHandTests {
  typealias Random = ArbitraryInputTests.Random

  /// An implementation of RFC 5849 §3.4.1 with strings and arrays.
  private struct Recipe {
    let request: SignableRequest
    /// All parameters of the request except the signature.
    let sent: [Parameter]

    private func precedes(_ left: String, _ right: String) -> Bool {
      left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    var normalized: String {
      get throws {
        let all = try FormEncoding.decode(request.url.query ?? "") + request.form + sent
        return all.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
          .sorted { $0.0 == $1.0 ? precedes($0.1, $1.1) : precedes($0.0, $1.0) }
          .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
      }
    }

    var baseString: String {
      get throws {
        try [request.method, request.url.baseStringURI, normalized].map { PercentEncoding.encode($0) }
          .joined(separator: "&")
      }
    }

    func header(signature: String) -> String {
      let all = (sent + [Parameter("oauth_signature", signature)])
        .map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
        .sorted { $0.0 == $1.0 ? precedes($0.1, $1.1) : precedes($0.0, $1.0) }
      return "OAuth " + all.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ", ")
    }
  }

  /// Returns mostly special bytes: characters that sort around `%`, characters that are escaped, and bytes that are not UTF-8.
  private func bytes(_ limit: Int, _ random: inout Random) -> [UInt8] {
    let strange = Array("a-._~%&=+ /\"é水\u{1F600}z0".utf8) + [0x00, 0xFF, 0x2F, 0x3A]
    return (0..<Int.random(in: 0...limit, using: &random)).map { _ in strange.randomElement(using: &random)! }
  }

  private func parameters(_ limit: Int, _ random: inout Random) -> [Parameter] {
    (0..<Int.random(in: 0...limit, using: &random)).map { _ in
      Parameter(name: bytes(4, &random), value: bytes(12, &random))
    }
  }

  /// Returns a query as other programs might write it: partly escaped, with empty segments and without `=`.
  private func query(_ parameters: [Parameter], _ random: inout Random) -> String {
    parameters.map { parameter in
      var text = FormEncoding.encode([parameter])
      if Bool.random(using: &random) { text = text.replacing("%20", with: "+") }
      if Bool.random(using: &random) { text = text.replacing("%2F", with: "/").replacing("%3A", with: ":") }
      if parameter.value.isEmpty, Bool.random(using: &random) { text.removeLast() }
      return text
    }.joined(separator: Bool.random(using: &random) ? "&" : "&&")
  }

  private func text(_ limit: Int, _ random: inout Random) -> String {
    String(decoding: bytes(limit, &random), as: UTF8.self)
  }

  @Test(
    "signatures of random requests match those of a literal implementation, even with a reused signer", arguments: 0..<8
  )
  func requests(seed: Int) throws {
    var random = Random(state: UInt64(seed))
    for _ in 0..<10 {
      let method = SignatureMethod.allCases[seed % 3]
      let client = ClientCredentials(identifier: "c" + text(8, &random), secret: Secret(text(40, &random)))
      let token = TokenCredentials(identifier: text(8, &random), secret: Secret(text(90, &random)))
      let signer = Signer(
        client: client, token: .token(token), method: method, sendsVersion: Bool.random(using: &random))
      for _ in 0..<50 { try sign(with: signer, client, token, &random) }
    }
  }

  private func sign(
    with signer: Signer, _ client: ClientCredentials, _ token: TokenCredentials, _ random: inout Random
  ) throws {
    // There are usually few parameters, and occasionally so many that the signer sorts them by a different method.
    let most = Int.random(in: 0..<20, using: &random) == 0 ? 60 : 6
    let port = ["", ":80", ":443", ":8080"].randomElement(using: &random)!
    let path = ["", "/", "/a%2Fb/~c", "/1.1/x.json"].randomElement(using: &random)!
    let scheme = ["http", "https"].randomElement(using: &random)!
    let mark = ["", "?", "?", "?"].randomElement(using: &random)!
    let asked = mark.isEmpty ? "" : mark + query(parameters(most, &random), &random)
    let request = SignableRequest(
      method: ["get", "POST"].randomElement(using: &random)!,
      url: try RequestURL("\(scheme)://Host.example\(port)\(path)\(asked)"), form: parameters(most, &random))
    let additional = Bool.random(using: &random) ? [Parameter("oauth_callback", text(20, &random))] : []
    let nonceTimestamp = NonceTimestamp(
      timestamp: Int64.random(in: 1...Int64.max, using: &random), nonce: Nonce("n" + text(10, &random)))

    let signed = try signer.sign(request, nonceTimestamp: nonceTimestamp, additional: additional)

    let own = [
      Parameter("oauth_consumer_key", client.identifier), Parameter("oauth_nonce", nonceTimestamp.nonce.text),
      Parameter("oauth_signature_method", signer.method.rawValue),
      Parameter("oauth_timestamp", "\(nonceTimestamp.timestamp)"), Parameter("oauth_token", token.identifier),
    ]
    let recipe = Recipe(
      request: request, sent: own + (signer.sendsVersion ? [Parameter("oauth_version", "1.0")] : []) + additional)
    let baseString = try recipe.baseString
    let key = SigningKey(clientSecret: client.secret, tokenSecret: token.secret)
    let signature = try Signature(signer.method, over: Array(baseString.utf8), key: key)
    #expect(signed.headerValue == recipe.header(signature: signature.text))
    #expect(signed.signature == signature)
    #expect(signed.baseString.text == baseString)
    #expect(try signed.normalizedParameters.text == recipe.normalized)
    #expect(signed.header.value == signed.headerValue)
    let received = try ReceivedSignature(request: request, header: AuthorizationHeader(parsing: signed.headerValue))
    #expect(try received.isValid(clientSecret: client.secret, tokenSecret: token.secret))
  }
}
