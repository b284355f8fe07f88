internal import Bytes
internal import HTTP
internal import HomelineOAuth

/// The client authentication of a request to the token endpoint (RFC 6749 §2.3.1).
struct ClientClaim {
  let identifier: String
  let secret: String?
  let method: OAuth2Policy.ClientAuthentication

  init(_ request: Request, _ form: RequestForm) throws(OAuth2Error) {
    let identifier: String?
    let secret: String?
    do throws(RequestFormError) {
      identifier = try form.value("client_id")
      secret = try form.value("client_secret")
    } catch { throw .badRequest(error.description) }
    let headers = request.headers.all("Authorization")
    guard headers.count <= 1 else { throw .badRequest("There is more than one Authorization header.") }
    guard let header = headers.first else {
      guard let identifier else { throw .badRequest("The parameter client_id is missing.") }
      (self.identifier, self.secret, method) = (identifier, secret, secret == nil ? .none : .body)
      return
    }
    // Using two methods together is not allowed (§2.3). The same client_id in header and body is accepted.
    guard secret == nil, let (name, password) = Self.basic(header) else { throw .unsupportedAuthentication }
    guard identifier == nil || identifier == name else { throw .badRequest("There are two different client_ids.") }
    (self.identifier, self.secret, method) = (name, password, .basic)
  }

  /// Checks the secret.
  func authenticate(as client: SandboxClient) throws(OAuth2Error) {
    switch (client.secret, secret) {
    case (nil, nil): return
    // A public client may send an empty secret (§2.3.1).
    case (nil, let given?): guard given.isEmpty else { throw .wrongSecret }
    case (_?, nil): throw .authenticationMissing
    case (let known?, let given?): guard equalInConstantTime(known, given) else { throw .wrongSecret }
    }
  }

  /// Parses the identifier and the secret, which are both form-encoded.
  private static func basic(_ header: String) -> (String, String)? {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let bytes = Base64URL.decode(Base64URL.converting(String(parts[1]))),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let name = decoded(bytes[..<colon]), let password = decoded(bytes[(colon + 1)...])
    else { return nil }
    return (name, password)
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let parameter = try? FormEncoding.decode(Array("x=".utf8) + bytes), parameter.count == 1 else { return nil }
    return parameter[0].valueText
  }
}
