import Bytes
import HomelineOAuth

extension Vectors.SignedRequest {
  func value(_ name: String) -> String? {
    oauthParams.first { $0[0] == name }?[1]
  }

  var signatureMethod: SignatureMethod {
    get throws {
      try value("oauth_signature_method").flatMap(SignatureMethod.init(rawValue:)) ?? { throw Unusable() }()
    }
  }

  var key: SigningKey {
    SigningKey(clientSecret: Secret(consumerSecret), tokenSecret: Secret(tokenSecret))
  }

  func request() throws -> SignableRequest {
    var url = try RequestURL(url)
    if let hostHeader { url = try url.at(hostHeader: hostHeader) }
    return try SignableRequest(method: method, url: url, contentType: contentType, body: Array((body ?? "").utf8))
  }

  /// Signs the vector's request as an application does, but with the vector's nonce and timestamp.
  func sign(tokenSecret: String? = nil) throws -> Authorization {
    guard let timestamp = value("oauth_timestamp").flatMap(Int64.init), let nonce = value("oauth_nonce"),
      let consumerKey = value("oauth_consumer_key")
    else { throw Unusable() }
    let secret = Secret(tokenSecret ?? self.tokenSecret)
    let token: TokenRole =
      switch value("oauth_token") {
      case nil: .none
      case "": .empty
      case let identifier?: .token(TokenCredentials(identifier: identifier, secret: secret))
      }
    let signer = Signer(
      client: ClientCredentials(identifier: consumerKey, secret: Secret(consumerSecret)), token: token,
      method: try signatureMethod, sendsVersion: value("oauth_version") != nil)
    let additional = ["oauth_callback", "oauth_verifier"].compactMap { name in value(name).map { Parameter(name, $0) } }
    return try signer.sign(
      request(), nonceTimestamp: NonceTimestamp(timestamp: timestamp, nonce: Nonce(nonce)), additional: additional)
  }

  struct Unusable: Error {}
}

extension RequestURL {
  /// Returns the same URL with the authority from another Host header.
  func at(hostHeader: String) throws(RequestURLError) -> RequestURL {
    try RequestURL(scheme: scheme, hostHeader: hostHeader, target: path + (query.map { "?" + $0 } ?? ""))
  }
}
