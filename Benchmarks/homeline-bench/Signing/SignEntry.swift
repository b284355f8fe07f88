internal import Benchmarking
internal import HomelineOAuth

/// `sign CASES_JSON CASE N`: what `RequestAuthority` does for each request, N times, and prints the last signature.
///
/// The signer and the parsed URL stay: so they do in the service, where one signer serves an account and the URL comes from the
/// provider's room. Nonce and time are the case's own.
enum SignEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let path = try arguments.next("CASES_JSON")
    let example = try SigningCase.named(try arguments.next("CASE"), in: path)
    let count = try arguments.nextCount("N")
    try arguments.end()
    let (signature, _) = try sign(example, count)
    if let expected = example.signature, signature != expected {
      throw BenchFailure.wrongResult("the signature is \(signature) and not \(expected)")
    }
    print(signature)
  }

  /// - Returns: the last signature, and the bytes of all headers.
  static func sign(_ example: SigningCase, _ count: Int) throws -> (signature: String, headerBytes: Int) {
    let (signer, nonceTimestamp, url, form) = (
      example.signer, example.nonceTimestamp, try example.requestURL, example.form
    )
    var last: Authorization?
    var bytes = 0
    for _ in 0..<count {
      let authorization = try signer.sign(
        SignableRequest(method: example.method, url: url, form: form), nonceTimestamp: nonceTimestamp)
      bytes += authorization.headerValue.utf8.count
      last = authorization
    }
    // Read out of the header once: nothing but the header is sent.
    return (last?.signature.text ?? "", bytes)
  }
}
