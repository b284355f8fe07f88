/// The error of an authorisation response that denies access (RFC 6749 §4.1.2.1).
///
/// Any web page can redirect a browser to the callback with such text, so do not present it as trusted. It is only certain that the login
/// with this state has ended.
public struct AuthorizationRefusal: Sendable, Hashable {
  /// The value of `error`, such as `access_denied`, on a single line without control characters; empty if the server sent none.
  public let code: String
  /// The value of `error_description`, on a single line without control characters; nil if there is none.
  public let description: String?

  /// Creates a denial and cleans its text.
  public init(code: String, description: String?) {
    self.init(code: Array(code.utf8), description: description.map { Array($0.utf8) })
  }

  init(code: [UInt8], description: [UInt8]?) {
    // The secrets are not known here. The caller must hide those of the login that the state belongs to.
    self.code = ProviderText.cleaned(code, hiding: .nothing)
    let description = ProviderText.cleaned(description ?? [], hiding: .nothing)
    self.description = description.isEmpty ? nil : description
  }

  /// The code and the description on a single line, with at most 300 characters each.
  public var message: String {
    let code = code.isEmpty ? "an unnamed error" : code
    return description.map { "\(code): \($0)" } ?? code
  }
}
