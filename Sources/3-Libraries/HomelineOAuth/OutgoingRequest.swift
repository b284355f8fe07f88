public import Bytes
public import OAuthValues

/// A complete request for any HTTP client. A signed request can be sent only once, unchanged.
///
/// Do not use it to follow a redirect. To repeat a signed request, sign it again.
public struct OutgoingRequest: Sendable, Hashable {
  /// The method in upper case.
  public let method: String
  /// The URL, exactly as signed.
  public let url: String
  /// The value of the `Authorization` header; nil if there is none.
  public let authorization: OAuth.Secret?
  /// The value of `Content-Type`; nil if there is no body.
  public let contentType: String?
  /// The body; empty if there is none.
  public let body: [UInt8]

  /// The header fields to send, including the secrets.
  public var headers: [(name: String, value: String)] {
    let fields = [
      authorization.map { ("Authorization", $0.withExposedText { $0 }) }, contentType.map { ("Content-Type", $0) },
    ]
    return fields.compactMap(\.self)
  }

  /// Creates a signed POST request with the form as its body, or without a body if the form is empty.
  static func signedPost(
    to url: RequestURL, form: [OAuth.Parameter], signer: OAuth.Signer, nonceTimestamp: OAuth.NonceTimestamp,
    additional: [OAuth.Parameter]
  ) throws(SigningError) -> OutgoingRequest {
    let request = SignableRequest(method: "POST", url: url, form: form)
    let authorization = try signer.sign(request, nonceTimestamp: nonceTimestamp, additional: additional)
    return OutgoingRequest(
      method: request.method, url: url.text, authorization: OAuth.Secret(authorization.headerValue),
      contentType: form.isEmpty ? nil : OAuth.FormEncoding.contentType,
      body: Array(OAuth.FormEncoding.encode(form).utf8))
  }
}

extension OutgoingRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the length of the body. The other parts may contain secrets.
  public var description: String { "\(method) with \(body.count) bytes" }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
