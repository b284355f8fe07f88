internal import Bytes
public import OAuthValues

/// The response with temporary credentials (RFC 5849 §2.1).
public struct TemporaryCredentialsResponse: Sendable, Hashable {
  /// Whether the server confirmed the callback URL.
  public enum Confirmation: Sendable, Hashable {
    /// The response contains `oauth_callback_confirmed=true`, so the server supports OAuth 1.0a.
    case callbackConfirmed
    /// The response contains no confirmation. The server may support only OAuth 1.0; warn the user.
    case callbackUnconfirmed
  }

  /// The request token.
  public let credentials: TemporaryCredentials
  /// Whether the server confirmed the callback URL.
  public let confirmation: Confirmation
  /// All other parameters in the response.
  public let extra: [OAuth.Parameter]

  /// Parses the response.
  ///
  /// - Parameters:
  ///   - response: the provider's response.
  ///   - requireCallbackConfirmation: whether to refuse a response without `oauth_callback_confirmed`, as RFC 5849 §2.1 requires. If false,
  ///     such a response yields ``Confirmation/callbackUnconfirmed``. Any value other than `true` (case-insensitive) is always refused.
  /// - Throws: ``OAuth/ResponseError``; no part of the response may then be used.
  public init(_ response: OAuth.Response, requireCallbackConfirmation: Bool) throws(OAuth.ResponseError) {
    let form = try response.issuedParameters()
    credentials = TemporaryCredentials(identifier: try form.issuedIdentifier(), secret: try form.issuedSecret())
    if let confirmed = form["oauth_callback_confirmed"] {
      let isTrue = confirmed.value.map { ASCII.lowercased($0) }.elementsEqual("true".utf8)
      guard isTrue else { throw .callbackNotConfirmed }
      confirmation = .callbackConfirmed
    } else {
      guard !requireCallbackConfirmation else { throw .missingParameter("oauth_callback_confirmed") }
      confirmation = .callbackUnconfirmed
    }
    extra = form.addedByProvider
  }
}
