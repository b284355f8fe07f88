internal import HTTP
internal import HomelineOAuth

/// Who a request to the token endpoint says to come from, and how (RFC 6749 §2.3.1).
struct ClientClaim {
  let identifier: String
  let secret: String?
  let way: OAuth2Policy.ClientAuthentication

  init(_ request: Request, _ form: RequestForm) throws(OAuth2Failure) {
    let identifier: String?
    let secret: String?
    do throws(RequestFormError) {
      identifier = try form.value("client_id")
      secret = try form.value("client_secret")
    } catch { throw .badRequest(error.description) }
    let headers = request.headers.all("Authorization")
    guard headers.count <= 1 else { throw .badRequest("There are several Authorization headers.") }
    guard let header = headers.first else {
      guard let identifier else { throw .badRequest("The parameter client_id is missing.") }
      (self.identifier, self.secret, way) = (identifier, secret, secret == nil ? .none : .body)
      return
    }
    // Two ways at once are not allowed (§2.3); a client_id beside the header does no harm when it is the same.
    guard secret == nil, let (name, word) = Self.basic(header) else { throw .authenticationNotTaken }
    guard identifier == nil || identifier == name else { throw .badRequest("There are two different client_ids.") }
    (self.identifier, self.secret, way) = (name, word, .basic)
  }

  /// Returns where the claim is true of a client.
  func authenticate(as client: RegisteredClient) throws(OAuth2Failure) {
    switch (client.secret, secret) {
    case (nil, nil): return
    // A public client with an empty secret is still one (§2.3.1 lets it be empty).
    case (nil, let given?): guard given.isEmpty else { throw .wrongSecret }
    case (_?, nil): throw .authenticationMissing
    case (let known?, let given?): guard equalInConstantTime(known, given) else { throw .wrongSecret }
    }
  }

  /// Identifier and secret, each form-encoded before they were joined.
  private static func basic(_ header: String) -> (String, String)? {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let bytes = Base64URL.decode(Base64URL.fromOrdinary(String(parts[1]))),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let name = decoded(bytes[..<colon]), let word = decoded(bytes[(colon + 1)...])
    else { return nil }
    return (name, word)
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let parameter = try? FormEncoding.decode(Array("x=".utf8) + bytes), parameter.count == 1 else { return nil }
    return parameter[0].valueText
  }
}
