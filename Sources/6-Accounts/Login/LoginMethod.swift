internal import Accounts
internal import HomelineOAuth
internal import Providers

/// How an account is logged in to, chosen by the login's options from the methods that the provider supports.
struct LoginMethod {
  let account: Account
  let options: LoginOptions

  /// - Throws: an error if the provider does not support the options, or the client's keys are not available.
  func strategy() throws(OperationError) -> any LoginStrategy {
    if options.usesToken {
      guard !usesPassword else {
        throw OperationError(.configuration, "the provider only supports logging in with a password: omit --with-token")
      }
      return try TokenLogin(of: account)
    }
    switch account.provider.authorization {
    case .oauth1(let endpoints):
      guard !options.usesDevice else {
        throw OperationError(
          .configuration,
          "the account uses OAuth 1.0a, which does not support logging in on another device; use --pin, or omit both options"
        )
      }
      return try OAuth1Login(of: account, endpoints)
    case .oauth2:
      guard let server = account.authority.authorizationServer else {
        throw OperationError(.bug, "there is no authorisation server")
      }
      return try strategy(at: server)
    }
  }

  private func strategy(at server: AuthorizationServer) throws(OperationError) -> any LoginStrategy {
    if server.profile.usesPassword {
      guard !options.isOutOfBand, !options.usesDevice else {
        throw OperationError(
          .configuration, "the provider only supports logging in with a password: omit --pin and --device")
      }
      return try PasswordLogin(of: account, server)
    }
    if options.usesDevice { return try DeviceLogin(of: account, server) }
    guard !options.isOutOfBand || server.profile.offersOutOfBand else {
      throw OperationError(
        .configuration,
        "the provider \(account.provider.name) does not show a PIN. Log in without --pin: if no redirect can arrive, paste "
          + "the address that the browser is redirected to, even if that page does not open")
    }
    return try OAuth2Login(of: account, server)
  }

  var version: OAuthVersion {
    switch account.provider.authorization {
    case .oauth1: .oauth1
    case .oauth2: .oauth2
    }
  }

  /// Whether the provider redirects a browser to this machine, so that a port must be open.
  var usesRedirect: Bool { usesBrowser && !options.isOutOfBand }

  /// Whether the user visits the provider's page in a browser for this login.
  var usesBrowser: Bool { !options.usesDevice && !options.usesToken && !usesPassword }

  private var usesPassword: Bool {
    if case .oauth2(let profile) = account.provider.authorization { profile.usesPassword } else { false }
  }

  /// The path segment that distinguishes this server's redirects from those of other servers (RFC 8252 §8.10).
  var callbackName: String? {
    if case .oauth2(let profile) = account.provider.authorization { profile.callbackName } else { nil }
  }
}
