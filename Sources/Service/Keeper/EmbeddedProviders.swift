internal import CivilTime
internal import HomelineOAuth
internal import Providers
internal import Sandbox
internal import Settings
internal import Store

/// The providers that this process plays itself, each started for the first account that uses it. Belongs to its keeper's queue.
final class EmbeddedProviders {
  /// What is registered as the demo's redirect address: any port of it is let in, since another one is free at each run.
  private static let redirect = "http://127.0.0.1:1\(CallbackSettings().path)"

  private let layout: FileLayout
  private let clock: WallClock
  private var running: [SandboxKind: any RunningSandbox] = [:]

  init(layout: FileLayout, clock: WallClock) {
    self.layout = layout
    self.clock = clock
  }

  func stop() {
    for sandbox in running.values { sandbox.stop {} }
    running = [:]
  }

  /// Where the account's provider is asked, and by which protocol.
  func place(of account: AccountSettings) throws(Failure) -> ProviderPlace {
    let kind = try Self.kind(of: account)
    let address = try sandbox(kind).baseURL
    do throws(RequestURLError) {
      return ProviderPlace(kind == .twitter ? .oauth1 : .oauth2, at: try RequestURL(address))
    } catch { throw Failure(.bug, "\(error)") }
  }

  /// What it hands out to the demo's application.
  static func keys(of account: AccountSettings) throws(Failure) -> ApplicationKeys {
    switch try kind(of: account) {
    case .twitter: .oauth1(Sandbox.SandboxProvider.consumer)
    case .x: .oauth2(id: XSandbox.publicClientID, secret: nil)
    case .weibo: .oauth2(id: WeiboSandbox.clientID, secret: Secret(WeiboSandbox.clientSecret))
    case .mastodon: .selfRegistered
    }
  }

  private static func kind(of account: AccountSettings) throws(Failure) -> SandboxKind {
    guard let kind = SandboxKind(rawValue: account.provider) else {
      throw Failure(.configuration, "the provider \(account.provider) is not part of homeline; it needs keys")
    }
    return kind
  }

  private func sandbox(_ kind: SandboxKind) throws(Failure) -> any RunningSandbox {
    if let sandbox = running[kind] { return sandbox }
    do throws(SandboxError) {
      let sandbox = try start(kind)
      running[kind] = sandbox
      return sandbox
    } catch { throw Failure(.cannotCreate, "the sandbox could not be started: \(error)") }
  }

  private func start(_ kind: SandboxKind) throws(SandboxError) -> any RunningSandbox {
    switch kind {
    case .x:
      var service = XSandbox(redirects: [Self.redirect])
      service.oauth2.policy.redirectMatch = .anyLoopbackPort
      return try FakeServer(service: service, clock: clock)
    case .weibo:
      var policy = WeiboSandbox.policy
      policy.redirectMatch = .anyLoopbackPort
      return try FakeServer(service: WeiboSandbox(redirects: [Self.redirect], policy: policy), clock: clock)
    case .twitter, .mastodon:
      return try kind.serve(stateFolder: layout.sandboxFolder, redirect: Self.redirect, clock: clock)
    }
  }
}
