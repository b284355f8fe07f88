internal import Cryptography
internal import OAuthValues

/// The HMAC state and the memory that a signer reuses for each signature.
struct SigningContext: ~Copyable {
  private let method: OAuth.SignatureMethod
  private let key: SigningKey
  /// The HMAC state, created when the first request is signed, because signing can throw OpenSSL's errors.
  private var hmac: HMACState?
  private var parameters = ParameterList()
  private var written = ByteBuffer(capacity: 2_048)

  init(method: OAuth.SignatureMethod, key: SigningKey) {
    self.method = method
    self.key = key
  }

  /// Signs a request and returns the header's value.
  ///
  /// - Parameters:
  ///   - additional: further protocol parameters for the header.
  ///   - own: the parameters that all requests of the signer share.
  ///   - realm: the realm without control characters.
  /// - Returns: the value, and the range of the encoded signature in it.
  mutating func sign(
    _ request: borrowing SignableRequest, nonceTimestamp: OAuth.NonceTimestamp, additional: [OAuth.Parameter],
    own: borrowing ProtocolParameters, realm: String?
  ) throws(SigningError) -> (String, Range<Int>) {
    do throws(OAuth.FormError) {
      try own.collect(of: request, nonceTimestamp: nonceTimestamp, additional: additional, in: &parameters)
    } catch { throw .badQuery(error) }
    if let name = parameters.duplicateProtocolParameter { throw .duplicateParameter(name) }
    let signature: Int
    do throws(CryptographyError) { signature = try addSignature(of: request) } catch {
      throw .cryptography(error)
    }
    written.removeAll()
    let range = HeaderWriter.write(realm: realm, parameters, watched: signature, to: &written)
    return (unsafe String(decoding: written.contents, as: UTF8.self), range)
  }

  /// Whether there is memory that the next signature would reuse.
  var keepsMemory: Bool { parameters.capacity + written.capacity > 0 }

  /// Releases the memory that the next signature would reuse.
  mutating func releaseMemory() {
    parameters = ParameterList(capacity: 0)
    written = ByteBuffer(capacity: 0)
  }

  /// Computes the signature, and adds it to the parameters.
  ///
  /// - Returns: the index of its entry.
  private mutating func addSignature(of request: borrowing SignableRequest) throws(CryptographyError) -> Int {
    guard let hash = method.hash else {
      return key.withExposed { key in parameters.insertSignature(key.span) }
    }
    written.removeAll()
    OAuth.BaseString.write(method: request.method, url: request.url, sorted: parameters, to: &written)
    if hmac == nil { hmac = try key.withExposed { key throws(CryptographyError) in try HMACState(hash, key: key) } }
    var code = HMACState.Code(repeating: 0)
    let count = try unsafe hmac!.writeCode(of: written.contents, to: &code)
    return parameters.insertSignature(base64Of: code.span.extracting(first: count))
  }
}
