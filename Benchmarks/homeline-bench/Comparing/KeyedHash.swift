import Bytes
internal import Contenders
internal import HomelineOAuth

/// HMAC-SHA1 of a request's base string in several implementations, which are compared.
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

  /// Calls OpenSSL's `HMAC()` once.
  func hashOnce() { unsafe contender_hmac(key, key.count, message, message.count, &digest) }

  /// Hashes the message with SHA-1, without a key.
  func hashWithKeptKey() { unsafe contender_kept_hmac(kept, message, message.count, &digest) }

  /// The last computed hash in base64, as in a signature.
  var signature: String {
    var text = [UInt8](repeating: 0, count: 29)
    unsafe contender_base64(digest, &text)
    return String(decoding: text.dropLast(), as: UTF8.self)
  }
}
