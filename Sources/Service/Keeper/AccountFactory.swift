internal import CivilTime
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Sandbox
internal import Settings
internal import Store
internal import Transport

/// Makes what an account is worked with from its settings, and starts the embedded provider for the first that uses it. Belongs to
/// its keeper's queue.
final class AccountFactory {
  private let layout: FileLayout
  private let secrets: SecretResolver
  private let transport: Client
  private let clock: WallClock
  private let log: Log
  private var sandbox: SandboxServer?

  init(layout: FileLayout, secrets: SecretResolver, transport: Client, clock: WallClock, log: Log) {
    self.layout = layout
    self.secrets = secrets
    self.transport = transport
    self.clock = clock
    self.log = log
  }

  /// An account with its database open; see `Account.open(standingIn:)`.
  func open(_ settings: AccountSettings, standingIn: Bool) throws(Failure) -> Account {
    let account = Account(
      try means(for: settings), files: layout.files(of: settings.name.text), clock: clock, log: log)
    try account.open(standingIn: standingIn)
    return account
  }

  func means(for settings: AccountSettings) throws(Failure) -> AccountMeans {
    AccountMeans(
      settings: settings, provider: try provider(of: settings), keys: keys(of: settings), transport: transport)
  }

  func stop() {
    sandbox?.stop()
    sandbox = nil
  }

  private func provider(of account: AccountSettings) throws(Failure) -> any Provider {
    var overrides: [Endpoints.Name: RequestURL] = [:]
    for (name, url) in account.endpoints {
      if let name = Endpoints.Name(rawValue: name) { overrides[name] = url }
    }
    let address = account.credentials == .builtIn ? try sandboxAddress() : nil
    do throws(RequestURLError) {
      let base: RequestURL? = if let address { try RequestURL(address) } else { nil }
      if let provider = try ProviderRegistry.named(account.provider, at: base, overriding: overrides) {
        return provider
      }
    } catch { throw Failure(.configuration, "\(error)") }
    throw Failure(.configuration, "there is no provider \(account.provider)")
  }

  private func sandboxAddress() throws(Failure) -> String {
    if let sandbox { return sandbox.baseURL }
    do throws(SandboxError) {
      let sandbox = try SandboxServer(stateFolder: layout.sandboxFolder, clock: clock)
      self.sandbox = sandbox
      return sandbox.baseURL
    } catch { throw Failure(.cannotCreate, "the sandbox could not be started: \(error)") }
  }

  private func keys(of account: AccountSettings) -> ClientKeys {
    switch account.credentials {
    case .builtIn: ClientKeys { Sandbox.SandboxProvider.consumer }
    case .oauth2, .selfRegistered:
      ClientKeys { () throws(Failure) in throw Failure(.configuration, "the account has no consumer key") }
    case .oauth1(let key, let source):
      ClientKeys { [secrets] () throws(Failure) in
        do throws(SecretError) {
          return ClientCredentials(identifier: key, secret: try secrets.secret(from: source))
        } catch { throw Failure(.configuration, "the consumer secret cannot be had: \(error)") }
      }
    }
  }
}
