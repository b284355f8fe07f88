/// The form in an answer to the first or third leg (RFC 5849 §2.1, §2.3).
///
/// It is known by its content and not by its content type, which is `text/html` at X.
struct FormResponse {
  /// Every parameter, each name once.
  let parameters: [OAuth.Parameter]

  /// Token answers are a few hundred bytes; what is longer is a page.
  static let limits = OAuth.FormEncoding.Limits(bytes: 65_536, parameters: 100)

  /// Reads an answer that should hold credentials.
  init(_ response: OAuth.Response) throws(OAuth.ResponseError) {
    let body = Self.trimmed(response.body)
    let read: Result<[OAuth.Parameter], OAuth.FormError> = Result { () throws(OAuth.FormError) in
      try OAuth.FormEncoding.decode(Array(body), limits: Self.limits)
    }
    guard case .success(let parameters) = read, parameters.contains(where: { $0.isNamed("oauth_token") }) else {
      if let refusal = ProviderRefusal(response, expecting: "a token answer") { throw .refused(refusal) }
      if case .failure(let error) = read { throw .notForm(error) }
      throw .missingParameter("oauth_token")
    }
    var seen: Set<[UInt8]> = []
    for parameter in parameters where !seen.insert(parameter.name).inserted {
      throw .doubledParameter(ProviderText.cleaned(parameter.name, hiding: response.hiding))
    }
    self.parameters = parameters
  }

  /// The token; not empty.
  func identifier() throws(OAuth.ResponseError) -> String {
    guard let parameter = self["oauth_token"], !parameter.value.isEmpty else { throw .missingParameter("oauth_token") }
    guard let text = parameter.valueText else { throw .notText("oauth_token") }
    return text
  }

  /// Its secret. It may be empty (§3.4.2), but it has to be there.
  func secret() throws(OAuth.ResponseError) -> OAuth.Secret {
    guard let parameter = self["oauth_token_secret"] else { throw .missingParameter("oauth_token_secret") }
    return OAuth.Secret(bytes: parameter.value)
  }

  /// What else the provider says: `user_id`, `screen_name`.
  var extra: [OAuth.Parameter] {
    let known = ["oauth_token", "oauth_token_secret", "oauth_callback_confirmed"]
    return parameters.filter { parameter in !known.contains { parameter.isNamed($0) } }
  }

  subscript(name: String) -> OAuth.Parameter? {
    parameters.first { $0.isNamed(name) }
  }

  /// Without the line break that some servers end their answer with; white space is never part of form data.
  private static func trimmed(_ body: [UInt8]) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = body.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

extension OAuth {
  /// Why an answer to the first or third leg brings no credentials. Nothing of such an answer may be kept.
  public enum ResponseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The provider said why not.
    case refused(ProviderRefusal)
    /// A parameter is missing or empty.
    case missingParameter(String)
    /// A parameter comes twice.
    case doubledParameter(String)
    /// The bytes of a parameter are not UTF-8.
    case notText(String)
    /// The answer is no form data.
    case notForm(FormError)
    /// `oauth_callback_confirmed` says something else than true: the callback would not be the one we gave, which opens the
    /// session fixation of 2009 (RFC 5849 §2.1, §4.11).
    case callbackNotConfirmed

    /// What is wrong, as a sentence without any value of the answer.
    public var description: String {
      switch self {
      case .refused(let refusal): "\(refusal)"
      case .missingParameter(let name): "The provider's answer has no \(name)."
      case .doubledParameter(let name): "The provider's answer has \(name) twice."
      case .notText(let name): "The provider's answer has bytes in \(name) that are not UTF-8."
      case .notForm(let error): "The provider's answer cannot be read. \(error)"
      case .callbackNotConfirmed: "The provider's answer does not confirm our callback address."
      }
    }
  }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias OAuthResponseError = OAuth.ResponseError
