/// What the user is to be shown, and what to ask with meanwhile (RFC 8628 §3.2).
public struct DeviceAuthorizationResponse: Sendable, Hashable {
  /// What the token endpoint is asked with.
  public let deviceCode: Secret
  /// What the user types on the other device: one line without control characters.
  public let userCode: String
  /// Where the user types it: an `http` or `https` address.
  public let verificationURI: String
  /// The same with the code in it, for a QR code; nil without one.
  public let verificationURIComplete: String?
  /// Seconds until both codes are worthless.
  public let expiresIn: Int64
  /// Seconds between two questions, at least 1; 5 when the server does not say.
  public let interval: Int64

  /// Reads the answer.
  ///
  /// - Throws: ``OAuth2AnswerError``.
  public init(_ answer: Answer) throws(OAuth2AnswerError) {
    let names = [
      "device_code", "user_code", "verification_uri", "verification_uri_complete", "expires_in", "interval",
    ]
    let members = try OAuth2AnswerReader(answer, essential: "device_code", names: names)
    deviceCode = Secret(try members.required("device_code"))
    userCode = try members.required("user_code")
    guard PlainWords.cleaned(userCode.utf8, hiding: .nothing) == userCode else {
      throw members.unreadable("a user_code nobody can type")
    }
    verificationURI = try Self.address(try members.required("verification_uri"), members)
    verificationURIComplete = try members.text("verification_uri_complete").map { text throws(OAuth2AnswerError) in
      try Self.address(text, members)
    }
    guard let expiresIn = members.seconds("expires_in") else {
      throw members.unreadable("an answer without expires_in")
    }
    self.expiresIn = expiresIn
    interval = members.seconds("interval").map { max($0, 1) } ?? 5
  }

  /// A terminal shows it and a browser opens it: nothing but the web's addresses, and no control characters.
  private static func address(_ text: String, _ members: OAuth2AnswerReader) throws(OAuth2AnswerError) -> String {
    do throws(RequestURLError) {
      _ = try RequestURL(text)
      return text
    } catch {
      throw members.unreadable("a verification address that is none (\(error))")
    }
  }
}
