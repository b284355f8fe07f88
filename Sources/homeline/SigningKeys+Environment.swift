internal import Platform
internal import Commands
internal import HomelineOAuth

extension SigningKeys {
  /// Keys from `HOMELINE_CONSUMER_KEY` and `HOMELINE_CONSUMER_SECRET`, and the token, if there is one, from `HOMELINE_TOKEN`
  /// and `HOMELINE_TOKEN_SECRET`. A secret may be empty (RFC 5849 §3.4.2), but it must be set: a forgotten one would only
  /// show as a refused signature.
  init(variables: [String: String]) throws(CommandFailure) {
    guard let key = variables["HOMELINE_CONSUMER_KEY"] else {
      throw CommandFailure(.usage, "sign needs --account, or HOMELINE_CONSUMER_KEY in the environment")
    }
    let secret = try Self.secret("HOMELINE_CONSUMER_SECRET", besides: "HOMELINE_CONSUMER_KEY", variables)
    client = ClientCredentials(identifier: key, secret: secret)
    if let token = variables["HOMELINE_TOKEN"] {
      let secret = try Self.secret("HOMELINE_TOKEN_SECRET", besides: "HOMELINE_TOKEN", variables)
      self.token = .token(TokenCredentials(identifier: token, secret: secret))
    } else {
      token = .none
    }
    method = nil
  }

  private static func secret(
    _ name: String, besides key: String, _ variables: [String: String]
  ) throws(CommandFailure) -> Secret {
    if let text = variables[name] { return Secret(text) }
    throw CommandFailure(.usage, "\(key) is set, but \(name) is not; an empty one has to be set too")
  }
}
