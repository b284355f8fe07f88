/// A signed request, which can be sent only once, unchanged.
///
/// Do not use it to follow a redirect. To repeat the request, sign it again.
public struct SignedRequest: Sendable, Hashable {
  /// The method in upper case.
  public let method: String
  /// The URL.
  public let url: RequestURL
  /// The signature; its `headerValue` is the value of the Authorization header.
  public let authorization: OAuth.Authorization
  /// The content type of the body; nil if there is no body.
  public let contentType: String?
  /// The body; empty if there is none.
  public let body: [UInt8]

  /// Creates a POST request with the form as its body, or without a body if the form is empty.
  static func post(
    to url: RequestURL, form: [OAuth.Parameter], signer: OAuth.Signer, nonceTimestamp: OAuth.NonceTimestamp,
    additional: [OAuth.Parameter]
  ) throws(SigningError) -> SignedRequest {
    let request = SignableRequest(method: "POST", url: url, form: form)
    return SignedRequest(
      method: request.method, url: url,
      authorization: try signer.sign(request, nonceTimestamp: nonceTimestamp, additional: additional),
      contentType: form.isEmpty ? nil : OAuth.FormEncoding.contentType,
      body: Array(OAuth.FormEncoding.encode(form).utf8)
    )
  }
}
