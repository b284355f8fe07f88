/// Where a signer's signatures are made, one after another, each in the memory of the one before.
struct SigningContext: ~Copyable {
  private let method: OAuth.SignatureMethod
  private let key: SigningKey
  /// Made by the first signature: until then a key costs nothing, and there is nobody to tell OpenSSL's refusal to.
  private var hmac: HMACState?
  private var parameters = ParameterList()
  private var written = ByteBuffer(capacity: 2_048)

  init(method: OAuth.SignatureMethod, key: SigningKey) {
    self.method = method
    self.key = key
  }

  /// Signs, and writes the header's value.
  ///
  /// - Parameter realm: without control characters.
  /// - Returns: the value, and where the signature stands in it, encoded.
  mutating func sign(_ input: borrowing SignatureInput, realm: String?) throws(SigningError) -> (String, Range<Int>) {
    do throws(OAuth.FormError) { try input.collect(in: &parameters) } catch { throw .badQuery(error) }
    if let name = parameters.doubledProtocolParameter { throw .doubledParameter(name) }
    let signature: Int
    do throws(CryptographyError) { signature = try addSignature(of: input.request) } catch {
      throw .cryptography(error)
    }
    written.removeAll()
    let place = HeaderWriter.write(realm: realm, parameters, watched: signature, to: &written)
    return (unsafe String(decoding: written.contents, as: UTF8.self), place)
  }

  /// Adds the signature to the parameters that it covers.
  ///
  /// - Returns: which of them it is then.
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
