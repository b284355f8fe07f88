import Bytes
import Glibc
import KeyringTestSupport
import TestSupport
import Testing

@testable import Keyring
@testable import Platform

/// The client of the Secret Service API, connected to gnome-keyring-daemon.
struct SecretServiceTests {
  private let attributes = SecretAttributes.tokenKey("00c0ffee", of: "test")
  private let secret = Secret("Grüße \u{1F511}")

  private static func address(_ text: String) -> BusAddress? {
    BusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": text])
  }

  @Test("a stored secret is found by its attributes and is gone once it is removed")
  func storedSecret() async throws {
    let session = try await KeyringSession.open()
    try await session.start(.unlocked)
    let service = session.service
    #expect(try service.secrets(with: attributes) == FoundSecrets())
    try service.add(secret, attributes, label: "homeline: test")
    #expect(try service.secrets(with: attributes) == FoundSecrets([secret]))
    #expect(try service.secrets(with: .tokenKeys(of: "test")) == FoundSecrets([secret]))
    #expect(try service.secrets(with: .tokenKeys(of: "other")) == FoundSecrets())
    #expect(try service.provider().hasPrefix("gnome-keyring"))
    try service.remove(attributes)
    #expect(try service.secrets(with: attributes) == FoundSecrets())
  }

  @Test("secrets are transferred unchanged through encryption on the bus, even if they are empty or long")
  func secretsOfAllSizes() async throws {
    let session = try await KeyringSession.open()
    try await session.start(.unlocked)
    let service = session.service
    for size in [1, 15, 16, 17, 1000, 65536] {
      let text = String(repeating: "k", count: size)
      try service.add(Secret(text), attributes, label: "homeline: test")
      #expect(try service.secrets(with: attributes).secrets == [Secret(text)])
      try service.remove(attributes)
    }
    // Each search uses a session with a different key.
    try service.add(secret, attributes, label: "homeline: test")
    for _ in 0..<300 { #expect(try service.secrets(with: attributes).secrets == [secret]) }
  }

  @Test("two keyring items with the same attributes are both found")
  func duplicates() async throws {
    let session = try await KeyringSession.open()
    try await session.start(.unlocked)
    let service = session.service
    for text in ["one", "two"] { try service.add(Secret(text), attributes, label: "homeline: test") }
    #expect(Set(try service.secrets(with: attributes).secrets) == [Secret("one"), Secret("two")])
  }

  @Test("libsecret's secret-tool finds homeline's item, and homeline finds secret-tool's item")
  func libsecret() async throws {
    let session = try await KeyringSession.open()
    try await session.start(.unlocked)
    try session.service.add(secret, attributes, label: "homeline: test")
    let pairs = attributes.values.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    let found = try await session.run("secret-tool", ["lookup"] + pairs)
    #expect(found.output == "Grüße \u{1F511}", "\(found.error)")
    try session.service.remove(attributes)
    let stored = try await session.run(
      "secret-tool", ["store", "--label=homeline: token key"] + pairs, input: .text("from elsewhere"))
    #expect(stored.code == 0, "\(stored.error)")
    #expect(try session.service.secrets(with: attributes).secrets == [Secret("from elsewhere")])
  }

  @Test("a locked keyring is distinguished from a keyring without the item, and is not unlocked")
  func locked() async throws {
    let session = try await KeyringSession.open()
    try await session.start(.unlocked)
    let service = session.service
    try service.add(secret, attributes, label: "homeline: test")
    try await session.lock()
    #expect(try service.secrets(with: attributes) == FoundSecrets(isLocked: true))
    #expect(try service.secrets(with: .tokenKeys(of: "other")).isLocked, "a locked keyring may contain an item")
    #expect(throws: SecretStoreError.locked) { try service.add(secret, attributes, label: "homeline: test") }
    #expect(throws: SecretStoreError.locked) { try service.remove(attributes) }
    #expect(throws: SecretStoreError.locked) { try service.provider() }
    // The keyring's password unlocks it when it starts.
    try await session.start(.unlocked)
    #expect(try service.secrets(with: attributes) == FoundSecrets([secret]))
  }

  @Test("a user account that never had a keyring is reported as having none")
  func fresh() async throws {
    let session = try await KeyringSession.open()
    try await session.start(.fresh)
    #expect(try session.service.secrets(with: attributes) == FoundSecrets())
    #expect(throws: SecretStoreError.noKeyring) { try session.service.add(secret, attributes, label: "test") }
    #expect(throws: SecretStoreError.noKeyring) { try session.service.provider() }
  }

  @Test("a keyring that does not encrypt secrets on the bus is not used")
  func plainKeyring() async throws {
    let session = try await KeyringSession.open()
    guard let python = ProgramSearch.find("python3", in: "/usr/bin:/bin") else {
      try skipTest("Python is not installed")
    }
    let keyring = try ProgramRun(
      python, ["-B", Repository.path("Tests/Peers/plain_keyring.py")], environment: session.environment)
    defer { keyring.signal(SIGKILL) }
    _ = try #require(await keyring.line(containing: "ready"))
    #expect(throws: SecretStoreError.noEncryption) {
      try session.service.add(secret, attributes, label: "homeline: test")
    }
    #expect(throws: SecretStoreError.noEncryption) { try session.service.secrets(with: attributes) }
    #expect(
      keyring.written(on: .output) == "ready\n" + String(repeating: "session \(SecretSession.encrypted)\n", count: 2))
  }

  @Test("a session bus without a keyring, and a killed keyring, are reported")
  func noProvider() async throws {
    let session = try await KeyringSession.open()
    #expect(throws: SecretStoreError.noProvider) { try session.service.secrets(with: attributes) }
    try await session.start(.unlocked)
    try session.service.add(secret, attributes, label: "homeline: test")
    session.stopKeyring()
    #expect(throws: SecretStoreError.noProvider) { try session.service.secrets(with: attributes) }
    try await session.start(.unlocked)
    #expect(try session.service.secrets(with: attributes).secrets == [secret])
  }

  @Test("a missing session bus, and a bus that has exited, are reported")
  func noBus() async throws {
    let session = try await KeyringSession.open()
    session.stopBus()
    #expect(
      try await eventually {
        do throws(SecretStoreError) {
          _ = try session.service.secrets(with: attributes)
          return false
        } catch {
          guard case .noBus = error else { return false }
          return true
        }
      })
    for address in [nil, "unix:path=/nonexistent/bus", "nonsense"] {
      let error = #expect(throws: SecretStoreError.self) {
        try SecretService(address.flatMap { Self.address($0) }, startsProvider: false).secrets(with: attributes)
      }
      guard case .noBus = error else {
        Issue.record("\(String(describing: error)) for \(String(describing: address))")
        continue
      }
    }
  }

  @Test("after the time limit, homeline gives up on a bus that accepts connections but sends nothing")
  func silentBus() throws {
    let folder = TemporaryFolder(in: "/tmp")
    let listener = try UnixSocket.listening(at: "\(folder.path)/bus")
    defer { close(listener) }
    let service = SecretService(
      Self.address("unix:path=\(folder.path)/bus"), startsProvider: false, timeout: .milliseconds(100))
    #expect(throws: SecretStoreError.timedOut) { try service.secrets(with: attributes) }
  }

  @Test("after the time limit, homeline gives up on a keyring that stops responding")
  func silentKeyring() async throws {
    let session = try await KeyringSession.open()
    try await session.start(.unlocked)
    session.pauseKeyring()
    let service = SecretService(
      BusAddress(environment: session.environment), startsProvider: false, timeout: .milliseconds(100))
    #expect(throws: SecretStoreError.timedOut) { try service.secrets(with: attributes) }
  }

  @Test("dbus-monitor cannot see a secret that is stored or read")
  func monitor() async throws {
    let session = try await KeyringSession.open()
    try await session.start(.unlocked)
    guard let program = ProgramSearch.find("dbus-monitor", in: ProcessEnvironment.variables()["PATH"] ?? "") else {
      try skipTest("dbus-monitor is not installed")
    }
    let monitor = try ProgramRun(program, ["--session"], environment: session.environment)
    let text = "a-secret-that-is-long-enough-to-be-recognised"
    // The first message that the monitor sees shows that the monitor is connected.
    #expect(
      try await eventually {
        _ = try session.service.provider()
        return monitor.written(on: .output).contains("ReadAlias")
      })
    try session.service.add(Secret(text), attributes, label: "homeline: test")
    #expect(try session.service.secrets(with: attributes).secrets == [Secret(text)])
    #expect(try await eventually { monitor.written(on: .output).contains("GetSecret") })
    let seen = monitor.written(on: .output)
    monitor.signal(SIGKILL)
    #expect(!seen.contains(text))
    // The monitor prints an array of bytes in hexadecimal if it is not text.
    #expect(!seen.contains(text.utf8.prefix(8).map { String($0, radix: 16) }.joined(separator: " ")))
    #expect(seen.contains("CreateItem"))
  }

  @Test("the user's bus is found through XDG_RUNTIME_DIR if DBUS_SESSION_BUS_ADDRESS is not set")
  func runtimeFolder() async throws {
    #expect(BusAddress(environment: [:]) == nil)
    #expect(BusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) == nil)
    #expect(BusAddress(environment: ["XDG_RUNTIME_DIR": "/run/user/7"])?.text == "unix:path=/run/user/7/bus")
    #expect(
      BusAddress(environment: ["XDG_RUNTIME_DIR": "/tmp/a b;c"])?.text == "unix:path=/tmp/a%20b%3bc/bus")
    let session = try await KeyringSession.open()
    try await session.start(.unlocked)
    let service = SecretService(
      BusAddress(environment: ["XDG_RUNTIME_DIR": "\(session.home)/run"]), startsProvider: false)
    #expect(try service.secrets(with: attributes) == FoundSecrets())
  }
}
