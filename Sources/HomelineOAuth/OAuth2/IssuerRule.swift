/// Whether a redirect comes from the server that the user was sent to, so that a code of one is not given to another
/// (RFC 9207 §2.4).
public struct IssuerRule: Sendable, Hashable {
  /// The server's name for itself; nil when it is not known.
  public let expected: String?
  /// Whether the server has said that it names itself.
  public let isPromised: Bool

  /// Sets the rule.
  ///
  /// Without an expected issuer there is nothing to compare with: whatever is told is accepted, and only one that was
  /// promised and is missing is objected to.
  public init(expected: String?, isPromised: Bool) {
    self.expected = expected
    self.isPromised = isPromised
  }

  /// What is wrong with the `iss` of a redirect, as a sentence; nil when nothing is.
  ///
  /// Both are compared byte by byte (RFC 3986 §6.2.1): no slash, letter case or port is made equal.
  public func objection(to received: String?) -> String? {
    guard let received else {
      return isPromised
        ? "The redirect does not say which server it comes from, though the server promises that; start the login again."
        : nil
    }
    guard let expected, !expected.utf8.elementsEqual(received.utf8) else { return nil }
    // The login that it answers hides its secrets itself.
    return "The redirect comes from “\(PlainWords.cleaned(received.utf8, hiding: .nothing))” and not from "
      + "“\(PlainWords.cleaned(expected.utf8, hiding: .nothing))”, where the user was sent; its code is not used."
  }
}
