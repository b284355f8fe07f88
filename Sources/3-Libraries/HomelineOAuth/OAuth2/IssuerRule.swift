/// Checks that a redirect comes from the server that the user was sent to, so that one server's code is not sent to another (RFC 9207
/// §2.4).
public struct IssuerRule: Sendable, Hashable {
  /// The server's issuer identifier; nil if it is unknown. If one segment of its path is `{tenantid}`, it matches the issuers of all
  /// tenants.
  public let expected: String?
  /// Whether the server has announced that its redirects contain `iss`.
  public let isPromised: Bool

  /// Creates a rule.
  ///
  /// Without an expected issuer, any issuer is accepted. The only possible error is then that an announced issuer is missing.
  public init(expected: String?, isPromised: Bool) {
    self.expected = expected
    self.isPromised = isPromised
  }

  /// Returns a sentence about the problem with a redirect's `iss`; nil if it is acceptable.
  ///
  /// Issuers are compared byte by byte (RFC 3986 §6.2.1), without normalising slashes, letter case or ports.
  public func objection(to received: String?) -> String? {
    guard let received else {
      return isPromised
        ? "The redirect does not contain the issuer that the server announces; start the login again."
        : nil
    }
    guard let expected, !expected.utf8.elementsEqual(received.utf8),
      !IssuerTemplate.matches(expected, issuer: received)
    else { return nil }
    // No secrets are known here. The caller must hide the secrets of the login.
    return
      "The redirect comes from “\(ProviderText.cleaned(received.utf8, hiding: .nothing))”, but the user was sent to "
      + "“\(ProviderText.cleaned(expected.utf8, hiding: .nothing))”; its code is not used."
  }
}
