internal import Bytes
internal import Commands
internal import ControlProtocol
internal import Cryptography
internal import Folders
internal import HomelineOAuth
internal import JSON
internal import LocalCommands
internal import Platform
internal import Secrets
internal import Settings
internal import Storage
internal import TerminalText
internal import Time

extension Command.Sign: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let settings = try account.map { name throws(CommandError) in try context.account(name) }
    let keys = try keys(of: settings, in: context)
    var offset = ClockOffset()
    if timestamp == nil, let settings {
      let now = WallClock.system.now.seconds
      offset.learn(
        server: now + ClockOffsetFile(try context.layout().files(of: settings.name.text)).seconds, local: now)
    }
    if let warning = offset.warning {
      Terminal.say("homeline: \(warning) The request is signed with the provider's time.")
    }
    return try context.write(
      try RequestSigning(arguments: self, keys: keys, offset: offset).output(isJSON: context.invocation.isJSON))
  }

  private func keys(of settings: AccountSettings?, in context: CommandContext) throws(CommandError) -> SigningKeys {
    let variables = context.environment.variables
    guard let settings else { return try SigningKeys(variables: variables) }
    return try SigningKeys(
      of: settings, secrets: SecretResolver(variables: variables, folders: try context.folders()),
      storage: try context.storage())
  }
}

/// Computes the Authorization header of a request.
struct RequestSigning {
  let arguments: Command.Sign
  let keys: SigningKeys
  /// The difference between this machine's clock and the provider's.
  let offset: ClockOffset

  func output(isJSON: Bool) throws(CommandError) -> CommandOutput {
    let signer = Signer(
      client: keys.client, token: keys.token, method: arguments.signatureMethod ?? keys.method ?? .hmacSHA1)
    let request = SignableRequest(method: arguments.method, url: arguments.url, form: arguments.form)
    let nonceTimestamp = try nonceTimestamp()
    do throws(SigningError) {
      let authorization = try signer.sign(request, nonceTimestamp: nonceTimestamp)
      if isJSON { return CommandOutput(Self.json(authorization)) }
      let explanation = arguments.explains ? SignatureExplanation.text(of: authorization) : ""
      let text = "\(explanation)Authorization: \(authorization.headerValue)\n"
      return CommandOutput(.data(OutputData(value: Array(text.utf8))))
    } catch {
      if case .cryptography = error { throw CommandError(.software, "\(error)") }
      throw CommandError(.usage, "\(error)")
    }
  }

  /// Returns the header with an explanation of its computation. The key is masked.
  private static func json(_ authorization: Authorization) -> ProgramOutput {
    JSONDocument.output { json in
      json.member("authorization", authorization.headerValue)
      json.member("normalized_parameters", authorization.normalizedParameters.text)
      json.member("signature_base_string", authorization.baseString.text)
      json.member("signing_key", authorization.maskedKey)
    }
  }

  private func nonceTimestamp() throws(CommandError) -> NonceTimestamp {
    let timestamp = arguments.timestamp ?? offset.correctedTimestamp(local: WallClock.system.now.seconds)
    if let nonce = arguments.nonce { return NonceTimestamp(timestamp: timestamp, nonce: Nonce(nonce)) }
    do throws(CryptographyError) { return try .random(timestamp: timestamp) } catch {
      throw CommandError(.software, "\(error)")
    }
  }
}

extension Command.Token: PreparedCommand {
  /// Prints the stored token if it need not be renewed.
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    let stored = StoredTokenReader(
      account: try context.account(account), storage: try context.storage(), now: WallClock.system.now)
    if let token = try stored.token(), !renews {
      return .done(context.invocation.isJSON ? CommandResult([token]).print() : TokenTerminal.show(token.accessToken))
    }
    return .ask(self, arguments: context.arguments, cleanUp: { _ in })
  }
}

/// Reads a token from storage if it need not be renewed.
struct StoredTokenReader {
  let account: AccountSettings
  let storage: any StorageProvider
  /// The time according to this machine's clock. The token's times are according to the server's clock.
  let now: Timestamp

  /// Returns the stored token.
  /// - Returns: nil if the state owner must renew the token, or report why it cannot.
  /// - Throws: 64 if the account has no bearer tokens.
  func token() throws(CommandError) -> TokenEvent? {
    if let reason = account.whyNoBearerToken { throw CommandError(.usage, reason) }
    guard let stored = try? storage.tokens(of: account.name).read(), let token = stored.grant.bearer,
      token.isUsable(at: now), isOfThisServer(stored)
    else { return nil }
    return TokenEvent(account: account.name.text, accessToken: token.accessToken, expiresAt: token.expiresAt)
  }

  /// Returns whether the settings name the server that issued the token, because scripts send the token to the server in the settings.
  private func isOfThisServer(_ token: StoredToken) -> Bool {
    guard token.provider == account.provider else { return false }
    let named = account.issuer ?? account.server?.origin ?? account.endpoints["token"]?.origin
    return named.map { $0 == token.identity.server } ?? true
  }
}
