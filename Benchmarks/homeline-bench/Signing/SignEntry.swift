internal import Benchmarking
internal import HomelineOAuth

/// `sign CASES_JSON CASE N` signs a request N times as `RequestAuthority` does, and prints the last signature.
///
/// The signer and the parsed URL are reused, as in the service. The nonce and the timestamp come from the case.
enum SignEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let path = try arguments.next("CASES_JSON")
    let example = try SigningCase.named(try arguments.next("CASE"), in: path)
    let count = try arguments.nextCount("N")
    try arguments.end()
    let (signature, _) = try sign(example, count)
    if let expected = example.signature, signature != expected {
      throw BenchFailure.wrongResult("the signature is \(signature) instead of \(expected)")
    }
    print(signature)
  }

  /// - Returns: the last signature, and the total size of all headers in bytes.
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
    // Only the header would be sent, so the signature is read only from the last header.
    return (last?.signature.text ?? "", bytes)
  }
}
