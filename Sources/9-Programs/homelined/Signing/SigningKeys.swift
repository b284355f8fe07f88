internal import Bytes
internal import Commands
internal import Folders
internal import HomelineOAuth
internal import Platform
internal import Secrets
internal import Settings
internal import Storage

/// The keys and the method that `homeline sign` signs with.
struct SigningKeys {
  let client: ClientCredentials
  let token: TokenRole
  /// The method in the account's settings; nil without an account.
  let method: SignatureMethod?
}

extension SigningKeys {
  /// Reads the keys and the token of a configured account.
  init(
    of account: AccountSettings, secrets: SecretResolver, storage: any StorageProvider
  ) throws(CommandError) {
    let (key, source): (String, SecretSource)
    switch account.credentials {
    case .oauth1(let consumerKey, let consumerSecret): (key, source) = (consumerKey, consumerSecret)
    case .builtIn:
      throw CommandError(
        .usage, "\(account.name): the provider \(account.provider) has built-in keys, which cannot sign other requests")
    case .oauth2, .selfRegistered:
      throw CommandError(
        .usage,
        "\(account.name): OAuth 2.0 requests are not signed; they contain the token that `homeline token \(account.name)` prints"
      )
    }
    let secret: Secret
    do throws(SecretError) { secret = try secrets.secret(from: source) } catch {
      throw CommandError(error, about: "\(account.name)")
    }
    client = ClientCredentials(identifier: key, secret: secret)
    token = .token(try Self.token(of: account.name, storage))
    method = account.signatureMethod
  }

  private static func token(of name: AccountName, _ storage: any StorageProvider) throws(CommandError)
    -> TokenCredentials
  {
    let stored: StoredToken?
    do throws(StorageError) { stored = try storage.tokens(of: name).read() } catch {
      throw CommandError(error)
    }
    if case .oauth1(let credentials)? = stored?.grant { return credentials }
    throw CommandError(.notAuthorised, "\(name) is not authorised. To authorise it: homeline login \(name)")
  }
}

extension SigningKeys {
  /// Reads the keys from `HOMELINE_CONSUMER_KEY` and `HOMELINE_CONSUMER_SECRET`, and an optional token from `HOMELINE_TOKEN` and
  /// `HOMELINE_TOKEN_SECRET`. A secret may be empty (RFC 5849 §3.4.2) but must be set, because the server would report a forgotten
  /// secret only as a wrong signature.
  init(variables: [String: String]) throws(CommandError) {
    guard let key = variables["HOMELINE_CONSUMER_KEY"] else {
      throw CommandError(.usage, "sign needs --account, or HOMELINE_CONSUMER_KEY in the environment")
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
  ) throws(CommandError) -> Secret {
    if let text = variables[name] { return Secret(text) }
    throw CommandError(.usage, "\(key) is set, but \(name) is not; set it even if it is empty")
  }
}
