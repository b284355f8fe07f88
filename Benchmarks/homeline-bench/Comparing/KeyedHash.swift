internal import Contenders
internal import HomelineOAuth

/// The HMAC-SHA1 of one request's base string, by the contenders.
@safe final class KeyedHash {
  private let key: [UInt8]
  private let message: [UInt8]
  private let kept: OpaquePointer
  private var digest = [UInt8](repeating: 0, count: Int(contender_digest_size))

  init(of example: SigningCase) throws {
    let request = SignableRequest(method: example.method, url: try example.requestURL, form: example.form)
    message = try example.signer.sign(request, nonceTimestamp: example.nonceTimestamp).baseString.bytes
    key = SigningKey(clientSecret: Secret(example.consumerSecret), tokenSecret: Secret(example.tokenSecret))
      .withExposed { $0 }
    unsafe kept = contender_keep_key(key, key.count)
  }

  deinit { unsafe contender_forget_key(kept) }

  /// One call of OpenSSL's `HMAC()`.
  func hashOnce() { unsafe contender_hmac(key, key.count, message, message.count, &digest) }

  /// SHA-1 of the message alone.
  func hashWithKeptKey() { unsafe contender_kept_hmac(kept, message, message.count, &digest) }

  /// What was hashed last, as a signature is sent.
  var signature: String {
    var text = [UInt8](repeating: 0, count: 29)
    unsafe contender_base64(digest, &text)
    return String(decoding: text.dropLast(), as: UTF8.self)
  }
}
