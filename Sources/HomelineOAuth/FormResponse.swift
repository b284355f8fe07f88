/// The form data in a response that contains temporary credentials or an access token (RFC 5849 §2.1, §2.3).
///
/// The data is recognised by its content, because content types are unreliable: X sends `text/html`.
struct FormResponse {
  /// The parameters. Each name appears once.
  let parameters: [OAuth.Parameter]

  /// The limits for responses with credentials, which are usually a few hundred bytes long.
  static let limits = OAuth.FormEncoding.Limits(bytes: 65_536, parameters: 100)

  /// Parses a response that should contain credentials.
  init(_ response: OAuth.Response) throws(OAuth.ResponseError) {
    let body = Self.trimmed(response.body)
    let result: Result<[OAuth.Parameter], OAuth.FormError> = Result { () throws(OAuth.FormError) in
      try OAuth.FormEncoding.decode(Array(body), limits: Self.limits)
    }
    guard case .success(let parameters) = result, parameters.contains(where: { $0.isNamed("oauth_token") }) else {
      if let error = OAuth.ProviderError(response, expecting: "a token response") { throw .refused(error) }
      if case .failure(let error) = result { throw .notForm(error) }
      throw .missingParameter("oauth_token")
    }
    var seen: Set<[UInt8]> = []
    for parameter in parameters where !seen.insert(parameter.name).inserted {
      throw .duplicateParameter(ProviderText.cleaned(parameter.name, hiding: response.hiding))
    }
    self.parameters = parameters
  }

  /// Returns the token, which must not be empty.
  func identifier() throws(OAuth.ResponseError) -> String {
    guard let parameter = self["oauth_token"], !parameter.value.isEmpty else { throw .missingParameter("oauth_token") }
    guard let text = parameter.valueText else { throw .notText("oauth_token") }
    return text
  }

  /// Returns the token's secret, which must be present but may be empty (§3.4.2).
  func secret() throws(OAuth.ResponseError) -> OAuth.Secret {
    guard let parameter = self["oauth_token_secret"] else { throw .missingParameter("oauth_token_secret") }
    return OAuth.Secret(bytes: parameter.value)
  }

  /// The provider's own parameters, such as `user_id` and `screen_name`.
  var extra: [OAuth.Parameter] {
    let known = ["oauth_token", "oauth_token_secret", "oauth_callback_confirmed"]
    return parameters.filter { parameter in !known.contains { parameter.isNamed($0) } }
  }

  subscript(name: String) -> OAuth.Parameter? {
    parameters.first { $0.isNamed(name) }
  }

  /// Returns the body without surrounding whitespace, because some servers append a line break.
  private static func trimmed(_ body: [UInt8]) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = body.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

extension OAuth {
  /// An error in a response that should contain credentials. No part of the response may be used.
  public enum ResponseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The provider sent an error.
    case refused(OAuth.ProviderError)
    /// A parameter is missing or empty.
    case missingParameter(String)
    /// A parameter appears more than once.
    case duplicateParameter(String)
    /// A parameter is not valid UTF-8.
    case notText(String)
    /// The body is not form data.
    case notForm(FormError)
    /// `oauth_callback_confirmed` is not `true`, so the server might redirect to a different address, as in the session fixation attack of
    /// 2009 (RFC 5849 §2.1, §4.11).
    case callbackNotConfirmed

    /// Describes the error in a sentence, without quoting values from the response.
    public var description: String {
      switch self {
      case .refused(let error): "\(error)"
      case .missingParameter(let name): "The provider's response has no \(name)."
      case .duplicateParameter(let name): "The provider's response contains \(name) more than once."
      case .notText(let name): "The provider's response contains a \(name) that is not valid UTF-8."
      case .notForm(let error): "The provider's response is malformed. \(error)"
      case .callbackNotConfirmed: "The provider's response does not confirm the callback address."
      }
    }
  }
}

// A short name for this package's other targets. Other packages use the one in the namespace `OAuth`.
package typealias OAuthResponseError = OAuth.ResponseError
