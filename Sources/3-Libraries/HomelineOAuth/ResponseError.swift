public import OAuthValues

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

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias OAuthResponseError = OAuth.ResponseError
