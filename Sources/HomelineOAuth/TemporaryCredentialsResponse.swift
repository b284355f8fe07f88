/// The answer to the first leg (RFC 5849 §2.1).
public struct TemporaryCredentialsResponse: Sendable, Hashable {
  /// What the server says of the callback address.
  public enum Confirmation: Sendable, Hashable {
    /// `oauth_callback_confirmed=true`: this is OAuth 1.0a.
    case callbackConfirmed
    /// Nothing at all: a server from before 2009, or one that forgot. Warn the user.
    case callbackUnconfirmed
  }

  /// The request token.
  public let credentials: TemporaryCredentials
  /// Whether the server confirmed the callback address.
  public let confirmation: Confirmation
  /// Everything else that the answer says.
  public let extra: [Parameter]

  /// Reads the answer.
  ///
  /// With `requireCallbackConfirmation`, as RFC 5849 §2.1 has it, an answer without `oauth_callback_confirmed` is refused;
  /// without it, such an answer is taken as ``Confirmation/callbackUnconfirmed``. Any value but `true`, in any letter case,
  /// is refused always.
  ///
  /// - Throws: ``AnswerError``; nothing of the answer may be kept then.
  public init(_ answer: Answer, requireCallbackConfirmation: Bool) throws(AnswerError) {
    let form = try AnswerForm(answer)
    credentials = TemporaryCredentials(identifier: try form.identifier(), secret: try form.secret())
    if let confirmed = form["oauth_callback_confirmed"] {
      let isTrue = confirmed.value.map { ASCII.lowercased($0) }.elementsEqual("true".utf8)
      guard isTrue else { throw .callbackNotConfirmed }
      confirmation = .callbackConfirmed
    } else {
      guard !requireCallbackConfirmation else { throw .missingParameter("oauth_callback_confirmed") }
      confirmation = .callbackUnconfirmed
    }
    extra = form.extra
  }
}
