/// The answer to the third leg (RFC 5849 §2.3).
public struct TokenResponse: Sendable, Hashable {
  /// The access token.
  public let credentials: TokenCredentials
  /// Everything else that the answer says.
  public let extra: [Parameter]

  /// Reads the answer.
  ///
  /// - Throws: ``AnswerError``; nothing of the answer may be kept then.
  public init(_ answer: Answer) throws(AnswerError) {
    let form = try AnswerForm(answer)
    credentials = TokenCredentials(identifier: try form.identifier(), secret: try form.secret())
    extra = form.extra
  }

  /// `user_id`, where the provider names the user in its answer, as X does.
  public var userID: String? { self["user_id"] }

  /// `screen_name`, likewise.
  public var screenName: String? { self["screen_name"] }

  private subscript(name: String) -> String? {
    extra.first { $0.isNamed(name) }?.valueText
  }
}
