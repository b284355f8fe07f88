import Accounts
import ControlProtocol
import Folders
import Platform
import Settings
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import Web

/// The web page of a service with the given configuration, on a port of its own.
final class WebFixture: Sendable {
  let home: TemporaryFolder
  let layout: FileLayout
  let port: UInt16
  let listener: WebListener
  let data: WebData
  /// What the service tells open pages of.
  let changes: ContentChanges
  /// What the service does with the requests of pages.
  let service: ScriptedChanges
  /// The alarm for drafts.
  let alarm = ScriptedAlarm()
  /// The time, which tests can change.
  let now: Locked<Timestamp>
  /// The time since the machine's start, by which tickets run out.
  let boot: Locked<BootInstant>
  let reservedPort: ReservedPort
  private let settings: Locked<Configuration>
  /// The lines of the log.
  let lines: Locked<[String]>

  init(
    origins: [String] = [], accounts: [String] = ["bird"], publish: [PublishedFormat] = [], isConfigured: Bool = true,
    reserved: ReservedPort? = nil, patience: Duration = WebChanges.patience
  ) throws {
    service = ScriptedChanges(patience: patience)
    let reserved = try reserved ?? ReservedPort()
    let home = TemporaryFolder()
    let layout = FileLayout(try #require(BaseDirectories(environment: ["HOME": home.path])))
    let web = WebSettings(port: reserved.port, origins: try origins.map { try #require(WebOrigin($0)) })
    let configuration = Configuration(
      accounts: try accounts.map {
        var account = AccountSettings(
          name: try #require(AccountName($0)), provider: "sandbox", credentials: .builtIn)
        account.publish = publish
        return account
      }, web: isConfigured ? web : nil)
    let settings = Locked(configuration)
    let now = Locked(Timestamp(seconds: 1_790_000_000))
    let boot = Locked(BootInstant(nanoseconds: 1_000_000_000_000))
    let lines = Locked<[String]>([])
    let changes = ContentChanges()
    let data = Self.data(layout, settings, now)
    self.data = data
    listener = try Self.listener(data, changes, service, alarm, boot, lines)
    self.changes = changes
    (self.home, self.layout, self.settings, self.now, self.boot, self.lines) = (
      home, layout, settings, now, boot, lines
    )
    reservedPort = reserved
    port = reserved.port
    // A test without settings opens the page itself.
    if isConfigured { listener.start() }
  }

  private static func data(
    _ layout: FileLayout, _ settings: Locked<Configuration>, _ now: Locked<Timestamp>
  ) -> WebData {
    WebData(
      storage: MemoryStorage(), layout: layout, clock: WallClock { now.withLock { $0 } },
      settings: { settings.withLock { $0 } },
      status: {
        ControlStatus(
          owner: ControlStatus.Owner(
            processID: 1, command: "daemon", version: "0", startedAt: Timestamp(seconds: 0), configuration: "/c",
            configurationProblem: nil),
          accounts: settings.withLock { $0.accounts }.map {
            ControlStatus.Account(
              account: $0.name.text, activity: .idle, nextRefreshAt: nil, waitsFor: "it waits for a login")
          })
      })
  }

  private static func listener(
    _ data: WebData, _ changes: ContentChanges, _ service: ScriptedChanges, _ alarm: ScriptedAlarm,
    _ boot: Locked<BootInstant>, _ lines: Locked<[String]>
  ) throws -> WebListener {
    try WebListener(
      data, service.changes, news: changes, boot: { boot.withLock { $0 } }, makeAlarm: alarm.make,
      log: Log { _, line in lines.withLock { $0.append(line) } })
  }

  /// Returns another page with the same files and settings, as after a restart of the service.
  func restarted() throws -> WebListener {
    try Self.listener(data, changes, service, alarm, boot, lines)
  }

  /// Advances the time on all clocks, and rings the alarm if it is due.
  func pass(_ duration: Duration) {
    now.withLock { $0 = $0 + duration }
    boot.withLock { $0 = $0 + duration }
    alarm.ring(at: boot.withLock { $0 })
  }

  deinit { listener.stop(grace: .zero) {} }

  // MARK: Requests

  /// Sends a request as a browser does, and returns the response.
  func send(
    _ path: String, method: String = "GET", host: String? = nil, _ fields: [String] = [], body: String? = nil
  ) throws -> TestClient.Answer {
    let client = try TestClient(port: port)
    var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + fields
    if let body {
      lines += ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)"]
    }
    try client.send((lines + ["", body ?? ""]).joined(separator: "\r\n"))
    return try client.readResponse(toHead: method == "HEAD")
  }

  /// Returns the path of a new ticket's address.
  func ticket(isPrinted: Bool = true, origin index: Int = 0) throws -> String {
    let entry = try listener.open(isPrinted: isPrinted).entries[index]
    return String(entry[try #require(entry.firstRange(of: "/enter")).lowerBound...])
  }

  /// Enters, and returns the `Cookie` field.
  func enter() throws -> String {
    let answer = try send(ticket())
    try #require(answer.status == 303, "\(answer.head) \(answer.text)")
    return try Self.cookie(of: answer)
  }

  /// Returns the `Cookie` field that a browser sends after a response.
  static func cookie(of answer: TestClient.Answer) throws -> String {
    let field = try #require(answer.field("Set-Cookie"))
    return "Cookie: " + field.prefix { $0 != ";" }
  }
}

extension TestClient.Answer {
  /// The value of a field; nil if there is none.
  func field(_ name: String) -> String? {
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts[0].lowercased() == name.lowercased() { return String(parts[1].drop { $0 == " " }) }
    }
    return nil
  }
}
