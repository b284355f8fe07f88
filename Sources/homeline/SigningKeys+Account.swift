internal import Platform
internal import Commands
internal import HomelineOAuth
internal import Settings
internal import Store

extension SigningKeys {
  /// The keys of a configured account, and the token that it was authorised with.
  init(
    of account: AccountSettings, secrets: SecretResolver, layout: FileLayout
  ) throws(CommandFailure) {
    let (key, source): (String, SecretSource)
    switch account.credentials {
    case .oauth1(let consumerKey, let consumerSecret): (key, source) = (consumerKey, consumerSecret)
    case .builtIn:
      throw CommandFailure(
        .usage, "\(account.name): the provider \(account.provider) has its own keys, which sign nothing for others")
    case .oauth2, .selfRegistered:
      throw CommandFailure(
        .usage,
        "\(account.name): OAuth 2.0 signs nothing; its requests carry the token that `homeline token \(account.name)` prints"
      )
    }
    let secret: Secret
    do throws(SecretError) { secret = try secrets.secret(from: source) } catch {
      throw CommandFailure(.configuration, "\(account.name): \(error)")
    }
    client = ClientCredentials(identifier: key, secret: secret)
    token = .token(try Self.token(of: account.name, layout))
    method = account.signatureMethod
  }

  private static func token(of name: AccountName, _ layout: FileLayout) throws(CommandFailure) -> TokenCredentials {
    let stored: StoredToken?
    do throws(TokenStoreError) { stored = try TokenStore(layout.files(of: name.text)).read() } catch {
      switch error {
      case .newerSchema, .unknownKind, .readableByOthers: throw CommandFailure(.configuration, "\(error)")
      case .corrupt: throw CommandFailure(.badData, "\(error)")
      case .system: throw CommandFailure(.inputOutput, "\(error)")
      }
    }
    if case .oauth1(let credentials)? = stored?.grant { return credentials }
    throw CommandFailure(.notAuthorised, "\(name) is not authorised. To begin: homeline login \(name)")
  }
}
