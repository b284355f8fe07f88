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
    guard case .oauth1(let key, let source) = account.credentials else {
      let reason =
        account.credentials == .builtIn
        ? "the provider \(account.provider) has its own keys, which sign nothing for others"
        : "it uses OAuth 2.0, whose requests are not signed"
      throw CommandFailure(.usage, "\(account.name): \(reason)")
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
    if let stored { return stored.credentials }
    throw CommandFailure(.notAuthorised, "\(name) is not authorised. To begin: homeline login \(name)")
  }
}
