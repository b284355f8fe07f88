import Accounts
import ControlProtocol
import Dispatch
import Folders
import HTTPServer
import Login
import Platform
import Settings
import StorageSQLite
import TestSupport
import Testing
import Time

@testable import Service

/// A state owner with two sandbox accounts, which accepts commands on a Unix socket.
final class ControlFixture: Sendable {
  private let folder = TemporaryFolder()
  let path: String
  let layout: FileLayout
  let accountManager: AccountManager
  let server: ControlServer
  private let callbackPort: ReservedPort

  init(
    reload: ControlDelegate.Reload? = nil, requests: [any HandledRequest.Type] = ControlServer.requests
  ) throws {
    let folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    layout = FileLayout(folders)
    path = "\(folder.path)/control"
    callbackPort = try ReservedPort()
    let accounts = ["one", "two", "off"].map { name in
      AccountSettings(
        name: AccountName(name)!, provider: "sandbox", isEnabled: name != "off", credentials: .builtIn, keepPosts: 20)
    }
    let accountManager = AccountManager(
      configuration: Configuration(
        callback: CallbackSettings(port: callbackPort.port), accounts: accounts,
        sandbox: SandboxSettings(port: 0)),
      layout: layout, storage: FileStorage(layout), folders: folders, environment: [:], userAgent: "homeline-test",
      log: .silent)
    self.accountManager = accountManager
    let delegate = ControlDelegate(
      owner: {
        ControlStatus.Owner(
          processID: ProcessEnvironment.processID, command: "daemon", version: "9.9",
          startedAt: Timestamp(seconds: 0), configuration: "/config.json", configurationProblem: nil)
      },
      standing: { accounts in
        accounts.map {
          ControlStatus.Account(
            account: $0.name.text, activity: .idle, nextRefreshAt: (try? accountManager.nextRefresh(of: $0)) ?? nil,
            waitsFor: nil)
        }
      }, reload: reload)
    server = ControlServer(accountManager: accountManager, delegate, requests: requests, log: .silent)
    try server.serve(try ListeningSockets.unix(path: path))
  }

  deinit { server.stop(grace: .zero) {} }

  func client() throws -> ControlClient { try ControlClient(path) }

  /// Starts a login and reads its events up to the address for the user.
  func login(_ account: String, pin: Bool = false) throws -> Login {
    let client = try client()
    #expect(try client.ask(LoginRequest(account: account, usesPIN: pin)) == 200)
    guard let begun = try client.next() as? BegunEvent else { throw TestClient.Failure(description: "not begun") }
    #expect(begun.account == account)
    while let event = try client.next() {
      if let address = event as? AddressEvent { return Login(client: client, id: begun.login, address: address) }
    }
    throw TestClient.Failure(description: "no address")
  }

  struct Login {
    let client: ControlClient
    let id: String
    let address: AddressEvent
  }

  /// Authorises the login in the browser, as a user would.
  func authorise(_ login: Login) {
    SandboxVisitor(client: accountManager.client).authorise(at: login.address.url) { _ in }
  }

  /// Waits until the server is idle.
  func waitUntilIdle() -> Bool {
    let idle = DispatchSemaphore(value: 0)
    server.whenIdle { idle.signal() }
    return idle.wait(timeout: .now() + 30) == .success
  }

  func files(_ account: String) -> AccountFiles { layout.files(of: account) }
}
