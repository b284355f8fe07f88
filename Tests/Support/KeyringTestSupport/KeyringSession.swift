import Glibc
package import Keyring
import Platform
package import TestSupport
import Testing

/// A session bus for a test, with a real keyring (gnome-keyring-daemon) if the test starts one.
///
/// The bus starts no program by itself, so the test decides when there is a keyring.
package final class KeyringSession: Sendable {
  /// The state of the keyring when it starts.
  package enum Keyring: Sendable {
    /// The user's keyring is unlocked. If there is none, a keyring is created.
    case unlocked
    case locked
    /// The user has never had a keyring.
    case fresh
  }

  /// The home folder, where the keyring stores its files.
  package let home: String
  /// The environment variables of programs in this session.
  package let environment: [String: String]
  private let folder: TemporaryFolder
  private let bus: ProgramRun
  private let keyring = Locked<ProgramRun?>(nil)

  private init(_ folder: TemporaryFolder, _ environment: [String: String], _ bus: ProgramRun) {
    self.folder = folder
    self.environment = environment
    self.bus = bus
    home = folder.path
  }

  /// Starts a bus, or skips the test on a machine without D-Bus.
  package static func open() async throws -> KeyringSession {
    // The path of a socket may have at most 107 characters, so the socket is not below TMPDIR.
    let folder = TemporaryFolder(in: "/tmp")
    let home = folder.path
    for path in ["\(home)/run", "\(home)/data"] { mkdir(path, 0o700) }
    let address = "unix:path=\(home)/run/bus"
    let environment = ProgramRun.environment(home: home, ["DBUS_SESSION_BUS_ADDRESS": address])
    let configuration = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
      <allow own="*"/></policy></busconfig>
      """
    try AtomicFile.write(Array(configuration.utf8), to: "\(home)/bus.conf", .replaced)
    guard let program = ProgramSearch.find("dbus-daemon", in: Self.path) else {
      try skipTest("dbus-daemon is not installed")
    }
    let bus = try ProgramRun(
      program, ["--nofork", "--config-file=\(home)/bus.conf", "--print-address=1"], environment: environment)
    guard await bus.line(containing: "unix:") != nil else {
      try skipTest("dbus-daemon does not start here")
    }
    return KeyringSession(folder, environment, bus)
  }

  deinit {
    keyring.withLock { $0?.signal(SIGKILL) }
    bus.signal(SIGKILL)
  }

  /// A client of this session's keyring.
  package var service: SecretService { SecretService(BusAddress(environment: environment), startsProvider: false) }

  /// Starts the keyring, or skips the test on a machine without gnome-keyring. If a keyring is already running, it is
  /// stopped first.
  package func start(_ state: Keyring) async throws {
    stopKeyring()
    guard let program = ProgramSearch.find("gnome-keyring-daemon", in: Self.path) else {
      try skipTest("gnome-keyring is not installed")
    }
    let unlocks = if case .unlocked = state { true } else { false }
    let run = try ProgramRun(
      program, ["--foreground", "--components=secrets"] + (unlocks ? ["--unlock"] : []), environment: environment,
      input: .text(unlocks ? "password" : ""))
    keyring.withLock { $0 = run }
    guard try await eventually({ try await isProvided() }) else {
      try skipTest("gnome-keyring does not start here: \(run.written(on: .error))")
    }
    // A keyring starts locked, unless it has just been created.
    if case .locked = state { try await lock() }
  }

  package func stopKeyring() {
    let former = keyring.withLock { $0.take() }
    former?.signal(SIGKILL)
    while former?.isRunning == true { usleep(1000) }
  }

  /// Makes the keyring stop responding until it is stopped.
  package func pauseKeyring() { keyring.withLock { $0?.signal(SIGSTOP) } }

  package func stopBus() { bus.signal(SIGKILL) }

  package func lock() async throws {
    let outcome = try await run(
      "dbus-send",
      [
        "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
        "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login",
      ])
    if outcome.code != 0 { try skipTest("the keyring could not be locked: \(outcome.error)") }
  }

  /// Runs a program in this session.
  package func run(_ program: String, _ arguments: [String], input: ProgramRun.Input = .nothing) async throws
    -> ProgramRun.Outcome
  {
    guard let path = ProgramSearch.find(program, in: Self.path) else { try skipTest("\(program) is not installed") }
    return try await ProgramRun.run(path, arguments, environment: environment, input: input)
  }

  /// Returns whether the keyring answers. It owns its name on the bus, and has its properties, some time before its methods.
  private func isProvided() async throws -> Bool {
    let outcome = try await run(
      "dbus-send",
      [
        "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
        "org.freedesktop.Secret.Service.SearchItems", "dict:string:string:",
      ])
    return outcome.code == 0
  }

  private static var path: String { ProcessEnvironment.variables()["PATH"] ?? "/usr/bin:/bin" }
}
