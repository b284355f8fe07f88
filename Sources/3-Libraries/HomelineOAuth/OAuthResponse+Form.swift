internal import Bytes
internal import OAuthValues

extension OAuth.Response {
  /// The limits for form data with credentials, which is usually a few hundred bytes long.
  static let formLimits = OAuth.FormEncoding.Limits(bytes: 65_536, parameters: 100)

  /// Parses the form data of a response that should contain temporary credentials or an access token (RFC 5849 §2.1, §2.3).
  ///
  /// The data is recognised by its content, because content types are unreliable: X sends `text/html`.
  ///
  /// - Returns: the parameters. Each name appears once.
  func issuedParameters() throws(OAuth.ResponseError) -> [OAuth.Parameter] {
    let result: Result<[OAuth.Parameter], OAuth.FormError> = Result { () throws(OAuth.FormError) in
      try OAuth.FormEncoding.decode(Array(trimmedBody), limits: Self.formLimits)
    }
    guard case .success(let parameters) = result, parameters["oauth_token"] != nil else {
      if let error = OAuth.ProviderError(self, expecting: "a token response") { throw .refused(error) }
      if case .failure(let error) = result { throw .notForm(error) }
      throw .missingParameter("oauth_token")
    }
    var seen: Set<[UInt8]> = []
    for parameter in parameters where !seen.insert(parameter.name).inserted {
      throw .duplicateParameter(ProviderText.cleaned(parameter.name, hiding: hiding))
    }
    return parameters
  }

  /// The body without surrounding whitespace, because some servers append a line break.
  private var trimmedBody: ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = body.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

/// The members of a response with credentials.
extension [OAuth.Parameter] {
  subscript(name: String) -> OAuth.Parameter? { first { $0.isNamed(name) } }

  /// Returns the token, which must not be empty.
  func issuedIdentifier() throws(OAuth.ResponseError) -> String {
    guard let parameter = self["oauth_token"], !parameter.value.isEmpty else { throw .missingParameter("oauth_token") }
    guard let text = parameter.valueText else { throw .notText("oauth_token") }
    return text
  }

  /// Returns the token's secret, which must be present but may be empty (§3.4.2).
  func issuedSecret() throws(OAuth.ResponseError) -> OAuth.Secret {
    guard let parameter = self["oauth_token_secret"] else { throw .missingParameter("oauth_token_secret") }
    return OAuth.Secret(bytes: parameter.value)
  }

  /// The provider's own parameters, such as `user_id` and `screen_name`.
  var addedByProvider: [OAuth.Parameter] {
    let known = ["oauth_token", "oauth_token_secret", "oauth_callback_confirmed"]
    return filter { parameter in !known.contains { parameter.isNamed($0) } }
  }
}
