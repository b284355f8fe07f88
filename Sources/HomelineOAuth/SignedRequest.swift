/// A request ready to be sent once: as it is, or not at all.
///
/// A redirect must not be followed with it, and a retry needs a new signature.
public struct SignedRequest: Sendable, Hashable {
  /// The method, upper-case.
  public let method: String
  /// Where it goes.
  public let url: RequestURL
  /// The credentials; their `headerValue` is the Authorization header.
  public let authorization: OAuth.Authorization
  /// The Content-Type of the body, nil without a body.
  public let contentType: String?
  /// The body, empty for none.
  public let body: [UInt8]

  /// A POST with the form as its body, or with no body when the form is empty.
  static func post(
    to url: RequestURL, form: [OAuth.Parameter], signer: OAuth.Signer, stamp: OAuth.NonceTimestamp,
    additional: [OAuth.Parameter]
  ) throws(SigningError) -> SignedRequest {
    let request = SignableRequest(method: "POST", url: url, form: form)
    return SignedRequest(
      method: request.method, url: url,
      authorization: try signer.sign(request, stamp: stamp, additional: additional),
      contentType: form.isEmpty ? nil : OAuth.FormEncoding.contentType,
      body: Array(OAuth.FormEncoding.encode(form).utf8)
    )
  }
}
