/// Why an answer to the first or third leg brings no credentials. Nothing of such an answer may be kept.
public enum AnswerError: Error, Sendable, Hashable, CustomStringConvertible {
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
