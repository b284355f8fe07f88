import Bytes
internal import HomelineOAuth

/// The function that libFuzzer calls with each input. The same bytes are read as form data, as the query of a URL, as
/// an Authorization header and as a callback.
///
/// The function checks that no parser crashes and that decoded values survive encoding and decoding. The server's code
/// must verify the signature of every request that can be signed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFormDecoding(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  let text = String(decoding: input, as: UTF8.self)
  if let parameters = try? FormEncoding.decode(input) {
    // The encoded form may be three times as long as the input.
    let room = FormEncoding.Limits(bytes: 4 << 20)
    guard (try? FormEncoding.decode(FormEncoding.encode(parameters), limits: room)) == parameters else {
      fatalError("decoded differently after encoding: \(parameters)")
    }
    checkSignature(over: parameters)
  }
  if let header = try? AuthorizationHeader(parsing: text), header.value.utf8.count <= AuthorizationHeader.byteLimit,
    (try? AuthorizationHeader(parsing: header.value)) != header
  {
    fatalError("parsed differently after writing: \(header.value)")
  }
  if let url = try? RequestURL(text), (try? RequestURL(url.text)) != url { fatalError("parsed differently: \(url)") }
  if let url = try? RequestURL("https://api.example/1.1/?\(text)") { checkSignature(over: [], at: url) }
  _ = Callback(query: input)
  _ = AuthorizationResponse(query: text)
  return 0
}

private let client = ClientCredentials(identifier: "key", secret: Secret("consumer secret"))
private let token = TokenRole.token(TokenCredentials(identifier: "token", secret: Secret("token secret")))
private let nonceTimestamp = NonceTimestamp(timestamp: 1_800_000_000, nonce: Nonce("nonce"))

private func checkSignature(over form: [Parameter], at url: RequestURL? = nil) {
  guard let url = url ?? (try? RequestURL("https://api.example/1.1/?b=1&a=%20+")) else { return }
  let request = SignableRequest(method: "POST", url: url, form: form)
  guard let signed = try? Signer(client: client, token: token).sign(request, nonceTimestamp: nonceTimestamp),
    let received = try? AuthorizationHeader(parsing: signed.headerValue)
  else { return }
  do {
    let claim = try ReceivedSignature(request: request, header: received)
    guard
      try claim.isValid(clientSecret: Secret("consumer secret"), tokenSecret: Secret("token secret")),
      try !claim.isValid(clientSecret: Secret("another secret"), tokenSecret: Secret("token secret"))
    else { fatalError("the signature is not accepted: \(signed.headerValue)") }
  } catch {
    fatalError("a signed request is refused: \(error)")
  }
}
