import HomelineOAuth
import Accounts
import Bytes
import Dispatch
import Folders
import Glibc
import Login
import Platform
import Sandbox
import SandboxSupport
import Scheduling
import Service
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import Settings

@Suite("Accounts that are changed or removed while jobs run") struct AccountManagerChangeTests {
  @Test("a response to a request made with earlier settings is discarded")
  func generation() async throws {
    let service = try SimulatedService(accounts: 1, policy: SandboxPolicy())
    try await service.logIn()
    let before = try state(service)
    service.time.pass(.seconds(600))
    var changed = service.accounts[0]
    changed.signatureMethod = .hmacSHA256
    service.change(to: [changed], beforeAnswerOf: .homeTimeline)
    let came = await service.refresh()
    guard case .notSent(_, .cancelled) = came else {
      Issue.record("the response was not discarded: \(came)")
      return
    }
    #expect(try state(service) == before)
    // The account's queue continues with the new settings.
    let again = await service.refresh()
    guard case .refreshed = again else {
      Issue.record("\(again)")
      return
    }
    await service.close()
  }

  @Test("a pending response remains valid after a settings change that affects no request")
  func sameGeneration() async throws {
    let service = try SimulatedService(accounts: 1, policy: SandboxPolicy())
    try await service.logIn()
    service.time.pass(.seconds(600))
    var changed = service.accounts[0]
    changed.refreshInterval = .seconds(300)
    service.change(to: [changed], beforeAnswerOf: .homeTimeline)
    let came = await service.refresh()
    guard case .refreshed(let new) = came, new > 0 else {
      Issue.record("\(came)")
      return
    }
    await service.close()
  }

  @Test("a removed account is closed after its jobs, keeps its files, and can be added again")
  func removed() async throws {
    let service = try SimulatedService(accounts: 2, policy: SandboxPolicy())
    try await service.logIn()
    await service.start()
    service.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [service.accounts[1]]))
    await service.run(for: .seconds(200))
    #expect(Set(service.accountManager.scheduler.snapshots.keys) == [service.accounts[1].name])
    service.forgetRequests()
    service.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: service.accounts))
    #expect(try await eventually { service.accountManager.scheduler.snapshots.count == 2 })
    await service.run(for: .seconds(200))
    #expect(Set(service.requests.map(\.account)).count == 2)
    await service.close()
  }

  @Test("a reload is complete only after the views that it adds have been published", .timeLimit(.minutes(2)))
  func newView() async throws {
    let service = try SimulatedService(accounts: 1, policy: SandboxPolicy())
    try await service.logIn()
    let account = service.accounts[0]
    let view = ViewSettings(name: AccountName("quiet")!, timelines: [.home(of: account.name)])
    let configuration = Configuration(callback: CallbackSettings(port: 0), accounts: [account], views: [view])
    await withCheckedContinuation { continuation in
      service.accountManager.adopt(configuration) { continuation.resume() }
    }
    #expect(try service.layout.publishedViews() == ["quiet"])
    #expect(File.exists("\(service.layout.viewFolder(of: "quiet"))/home_timeline.json"))
    await service.close()
  }

  @Test(
    "a reload is complete once the formats and settings that it changes have been published",
    .timeLimit(.minutes(2)))
  func newFormat() async throws {
    let service = try SimulatedService(accounts: 1, policy: SandboxPolicy())
    try await service.logIn()
    let files = service.layout.files(of: service.accounts[0].name.text)
    func adopt(_ change: (inout AccountSettings) -> Void) async {
      var account = service.accounts[0]
      change(&account)
      let configuration = Configuration(callback: CallbackSettings(port: 0), accounts: [account])
      await withCheckedContinuation { continuation in
        service.accountManager.adopt(configuration) { continuation.resume() }
      }
    }
    func entries() throws -> Int {
      String(decoding: try File.read(files.published(as: .atom), limit: 1 << 24), as: UTF8.self)
        .ranges(of: "<entry").count
    }
    service.forgetRequests()
    await adopt { ($0.publish, $0.feedPosts) = ([.atom, .html], 7) }
    #expect(try entries() == 7 && File.exists(files.published(as: .html)))
    await adopt { ($0.publish, $0.feedPosts) = ([.atom], 9) }
    #expect(try entries() == 9 && !File.exists(files.published(as: .html)))
    #expect(service.requests.isEmpty)
    await service.close()
  }

  @Test(
    "a scheduled refresh leaves other formats for later, and a user who asks for them gets them immediately",
    .timeLimit(.minutes(2)))
  func behind() async throws {
    let service = try SimulatedService(accounts: 1, policy: SandboxPolicy())
    try await service.logIn()
    var account = service.accounts[0]
    account.publish = [.jsonLines]
    let accountManager = service.accountManager
    let configuration = Configuration(callback: CallbackSettings(port: 0), accounts: [account])
    await withCheckedContinuation { done in accountManager.adopt(configuration) { done.resume() } }
    let files = service.layout.files(of: account.name.text)
    func isBehind() throws -> Bool {
      let lines = String(decoding: try File.read(files.published(as: .jsonLines), limit: 1 << 24), as: UTF8.self)
      let timeline = String(decoding: try File.read(files.timeline, limit: 1 << 24), as: UTF8.self)
      let posts = try #require(timeline.firstRange(of: "\"posts\":["))
      return !timeline[posts.upperBound...].dropFirst().hasPrefix(try #require(lines.split(separator: "\n").first))
    }
    #expect(try !isBehind())
    await service.start()
    await service.run(for: .seconds(600))
    #expect(try isBehind())
    let queue = DispatchQueue(label: "test")
    await withCheckedContinuation { done in
      accountManager.publishBehind([account], on: queue) { failures in
        #expect(failures.isEmpty)
        done.resume()
      }
    }
    #expect(try !isBehind())
    await service.close()
  }

  @Test("a token whose exchange is in progress at shutdown is stored", .timeLimit(.minutes(5)))
  func ending() async throws {
    let service = try SimulatedService(accounts: 2, policy: SandboxPolicy())
    // The account manager and the login may end in any order.
    let closed = DispatchGroup()
    for _ in 0..<2 { closed.enter() }
    let accountManager = service.accountManager
    service.beforeAnswer(of: .accessToken) { accountManager.shutDown(grace: .seconds(600)) { closed.leave() } }
    _ = try accountManager.login(service.accounts[0], LoginOptions()) { news in
      guard case .address(let address, _) = news else { return }
      SandboxVisitor(client: accountManager.client).authorise(at: address.text) { _ in }
    } completion: { _ in
      closed.leave()
    }
    await withCheckedContinuation { done in closed.notify(queue: .global()) { done.resume() } }
    service.sandbox.stop()
    #expect(try TokenStore(service.layout.files(of: "account-0")).read() != nil)
    #expect(try Folder.names(in: service.layout.files(of: "account-0").stateFolder) == ["token.json"])
  }

  @Test("a disabled account is refreshed only on request")
  func disabled() async throws {
    let service = try SimulatedService(accounts: 2, policy: SandboxPolicy())
    try await service.logIn()
    var off = service.accounts[0]
    off.isEnabled = false
    service.accountManager.adopt(
      Configuration(callback: CallbackSettings(port: 0), accounts: [off, service.accounts[1]]))
    await service.start()
    service.forgetRequests()
    guard case .refreshed = await service.refresh() else {
      Issue.record("the user's refresh was not performed")
      return
    }
    await service.run(for: .seconds(600))
    let counts = Dictionary(grouping: service.requests, by: \.account).mapValues(\.count)
    #expect(counts["account-0"] == 1)
    #expect(counts["account-1"] ?? 0 > 3)
    await service.close()
  }

  @Test("a reload immediately looks up a missing secret again")
  func secretAgain() async throws {
    let service = try SimulatedService(accounts: 1, policy: SandboxPolicy())
    try await service.logIn()
    let path = "\(service.folder.path)/secret"
    let secret = try File.read(path, limit: 100)
    try File.remove(path)
    service.accountManager.adopt(service.accountManager.configuration)
    await service.start()
    await service.run(for: .seconds(600))
    #expect(try state(service)[.home].problem?.code == .secretUnavailable)
    try AtomicFile.write(secret, to: path, .replaced)
    service.accountManager.adopt(service.accountManager.configuration)
    #expect(try await eventually { try state(service)[.home].problem == nil })
    await service.close()
  }

  @Test(
    "an account whose database cannot be opened at startup is reported, and resumes once it can be opened")
  func unopened() async throws {
    let service = try SimulatedService(accounts: 1, policy: SandboxPolicy())
    try await service.logIn()
    await withCheckedContinuation { done in service.accountManager.shutDown { done.resume() } }
    let next = service.nextAccountManager()
    let files = service.layout.files(of: "account-0")
    let aside = "\(service.folder.path)/aside"
    #expect(rename(files.dataFolder, aside) == 0)
    try AtomicFile.write([], to: files.dataFolder, .replaced)
    next.startSchedule()
    let hasTrouble = try await eventually {
      service.time.pass(.seconds(1))
      service.time.ring()
      return next.scheduler.snapshots.values.contains { $0.trouble != nil }
    }
    #expect(hasTrouble)
    #expect(service.lines.withLock { $0.contains { $0.contains("account-0: ") && $0.contains(files.dataFolder) } })
    try File.remove(files.dataFolder)
    #expect(rename(aside, files.dataFolder) == 0)
    guard case .refreshed = await next.refreshed([service.accounts[0]])[0].outcome else {
      Issue.record("the account did not resume")
      return
    }
    #expect(try state(service)[.home].problem == nil)
    await withCheckedContinuation { done in next.shutDown { done.resume() } }
  }

  private func state(_ service: SimulatedService) throws -> AccountState {
    let files = service.layout.files(of: service.accounts[0].name.text)
    return try #require(try AccountDatabase.openForReading(files)).state()
  }
}

extension SimulatedService {
  /// Runs a closure when the provider receives the next request for the given route, before it responds.
  fileprivate func beforeAnswer(of route: TwitterRoute, _ body: @escaping @Sendable () -> Void) {
    sandbox.withFaults { $0.add(.change { _ in body() }, to: route) }
  }

  /// Adopts the given accounts before the next request for a route is answered.
  fileprivate func change(to accounts: [AccountSettings], beforeAnswerOf route: TwitterRoute) {
    beforeAnswer(of: route) { [accountManager] in
      accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: accounts))
      for account in accounts { _ = try? accountManager.nextRefresh(of: account) }
    }
  }
}
