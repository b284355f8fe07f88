import Bytes
import HomelineOAuth
import Testing

@Suite("Published OAuth 1.0a test vectors")
struct VectorTests {
  @Test("percent-encoding and decoding yield the results in the vectors", arguments: Vectors.published.percentEncoding)
  func percentEncoding(vector: Vectors.PercentEncoding) throws {
    let hex = vector.input.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hex == vector.utf8Hex)
    #expect(PercentEncoding.encode(vector.input) == vector.expected)
    #expect(try PercentEncoding.decode(vector.expected) == Array(vector.input.utf8))
  }

  @Test("form decoding yields the results in the vectors", arguments: Vectors.published.formDecoding)
  func formDecoding(vector: Vectors.FormDecoding) throws {
    let decoded = try FormEncoding.decode(vector.input)
    #expect(decoded == parameters(vector.expectedPairs))
    #expect(try FormEncoding.decode(FormEncoding.encode(decoded)) == decoded)
  }

  @Test("base string URIs equal those in the vectors", arguments: Vectors.published.baseStringURI)
  func baseStringURI(vector: Vectors.BaseStringURI) throws {
    var url = try RequestURL(vector.url)
    if let host = vector.hostHeader { url = try url.at(hostHeader: host) }
    #expect(url.baseStringURI == vector.expected)
  }

  @Test(
    "normalised parameters equal those in the vectors, regardless of their initial order",
    arguments: Vectors.published.normalize)
  func normalize(vector: Vectors.Normalize) {
    let pairs = parameters(vector.pairs)
    #expect(NormalizedParameters(pairs).text == vector.expected)
    #expect(NormalizedParameters(pairs.reversed()).text == vector.expected)
    #expect(NormalizedParameters(pairs.shuffled()).text == vector.expected)
  }

  @Test(
    "keys and signatures for given base strings equal those in the vectors",
    arguments: Vectors.published.signaturePrimitive)
  func primitive(vector: Vectors.Primitive) throws {
    let key = SigningKey(clientSecret: Secret(vector.consumerSecret), tokenSecret: Secret(vector.tokenSecret))
    #expect(key.withExposed { String(decoding: $0, as: UTF8.self) } == vector.key)
    let method = try #require(SignatureMethod(rawValue: vector.method))
    let signature = try Signature(method, over: Array(vector.baseString.utf8), key: key)
    #expect(signature.text == vector.signature)
  }

  @Test(
    "base strings and signatures of complete requests equal those in the vectors",
    arguments: Vectors.published.signedRequests)
  func steps(vector: Vectors.SignedRequest) throws {
    let request = try vector.request()
    let oauth = parameters(vector.oauthParams)
    let all = try request.parameters() + oauth
    #expect(all.count == vector.signedPairsDecoded.count)
    #expect(Set(all) == Set(parameters(vector.signedPairsDecoded)))
    #expect(request.url.baseStringURI == vector.baseStringURI)
    let normalized = NormalizedParameters(all)
    #expect(normalized.text == vector.normalizedParameters)
    let baseString = OAuth.BaseString(method: vector.method, url: request.url, parameters: normalized)
    #expect(baseString.text == vector.baseString)
    #expect(try Signature(vector.signatureMethod, over: baseString.bytes, key: vector.key).text == vector.signature)
  }

  @Test(
    "the signer produces the published signatures",
    arguments: Vectors.published.signedRequests.filter { $0.value("oauth_timestamp") != nil })
  func signer(vector: Vectors.SignedRequest) throws {
    let authorization = try vector.sign()
    #expect(authorization.signature.text == vector.signature)
    #expect(authorization.baseString.text == vector.baseString)
    #expect(authorization.normalizedParameters.text == vector.normalizedParameters)
    #expect(authorization.header["oauth_signature"] == Array(vector.signature.utf8))
  }

  @Test(
    "a server accepts the published signatures and refuses altered ones",
    arguments: Vectors.published.signedRequests)
  func server(vector: Vectors.SignedRequest) throws {
    let client = Secret(vector.consumerSecret)
    let token = Secret(vector.tokenSecret)
    func received(_ signature: String) throws -> ReceivedSignature {
      let sent = parameters(vector.oauthParams) + [Parameter("oauth_signature", signature)]
      let header = try AuthorizationHeader(parsing: AuthorizationHeader(parameters: sent).value)
      return try ReceivedSignature(request: vector.request(), header: header)
    }
    let good = try received(vector.signature)
    #expect(good.baseString.text == vector.baseString)
    #expect(try good.isValid(clientSecret: client, tokenSecret: token))
    #expect(try !good.isValid(clientSecret: Secret(vector.consumerSecret + "x"), tokenSecret: token))
    #expect(try !good.isValid(clientSecret: client, tokenSecret: Secret(vector.tokenSecret + "x")))
    #expect(try !received("x" + vector.signature).isValid(clientSecret: client, tokenSecret: token))
    #expect(try !received(vector.signature + "=").isValid(clientSecret: client, tokenSecret: token))
  }

  @Test("the base string of the RSA-SHA1 example is correct, although the method is not supported")
  func rsaBaseString() throws {
    let vector = Vectors.published.rsaSHA1
    let url = try RequestURL(vector.url)
    let all = try SignableRequest(method: vector.method, url: url).parameters() + parameters(vector.oauthParams)
    let baseString = OAuth.BaseString(method: vector.method, url: url, parameters: NormalizedParameters(all))
    #expect(baseString.text == vector.baseString)
    #expect(SignatureMethod(rawValue: "RSA-SHA1") == nil)
  }

  @Test("Authorization headers are written as in the vectors", arguments: Vectors.published.authorizationHeaderBuild)
  func headerBuild(vector: Vectors.HeaderBuild) throws {
    let header = AuthorizationHeader(realm: vector.realm, parameters: parameters(vector.params))
    #expect(header.value == vector.expected)
    #expect(try AuthorizationHeader(parsing: header.value) == header)
  }

  @Test("Authorization headers are parsed as in the vectors", arguments: Vectors.published.authorizationHeaderParse)
  func headerParse(vector: Vectors.HeaderParse) throws {
    if let expected = vector.expectedParams {
      let header = try AuthorizationHeader(parsing: vector.input)
      #expect(header.realm == vector.expectedRealm)
      #expect(header.parameters == parameters(expected))
    } else {
      #expect(vector.expectedError == "not an OAuth header")
      #expect(throws: AuthorizationHeaderError.notOAuth) { try AuthorizationHeader(parsing: vector.input) }
    }
  }
}
