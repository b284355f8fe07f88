extension OAuth2Client {
  /// A request to `endpoint` in which this client says who it is.
  func request(to endpoint: RequestURL, form: [Parameter]) -> OAuth2FormRequest {
    let name = Parameter("client_id", identifier)
    let secret = secret ?? Secret("")
    switch authentication {
    case .none:
      return OAuth2FormRequest(url: endpoint, form: form + [name], authorization: nil)
    case .basic:
      return OAuth2FormRequest(url: endpoint, form: form, authorization: basic(secret))
    case .body:
      let proof = Parameter("client_secret", exposing: secret)
      return OAuth2FormRequest(url: endpoint, form: form + [name, proof], authorization: nil)
    }
  }

  /// Both parts are form-encoded first (RFC 6749 §2.3.1): otherwise a colon in the identifier would end it.
  private func basic(_ secret: Secret) -> Secret {
    let pair = PercentEncoding.encode(identifier) + ":" + secret.withExposed { PercentEncoding.encode($0) }
    return Secret("Basic " + Base64.encode(Array(pair.utf8)))
  }
}
