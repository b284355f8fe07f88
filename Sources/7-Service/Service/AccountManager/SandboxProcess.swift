internal import Accounts
internal import Bytes
internal import Dispatch
internal import Glibc
internal import HTTPServer
internal import HomelineOAuth
internal import Platform
internal import Settings

/// The simulated provider: the program `homeline-sandbox`, which serves sockets that this process opens.
///
/// The port is bound before the program runs, so that no other user's program can listen there and receive a token. The program starts
/// with the first connection. If it exits on its own, it is restarted on the same sockets; requests wait there in the meantime.
final class SandboxProcess: Sendable {
  /// The program's name, which is in the same folder as `homelined`.
  static let name = "homeline-sandbox"

  let port: UInt16
  private let sockets: AdoptedSockets
  private let program: String
  private let arguments: [String]
  private let environment: [String: String]
  private let log: Log
  private let state = Locked(State())
  private let hasEnded = DispatchSemaphore(value: 0)

  private struct State {
    /// The sources that wait for the first connection; empty after it.
    var waiting: [DispatchSource] = []
    var isStarted = false
    /// The write end of the program's standard input. When it is closed, the program exits. It is nil while the program is not running.
    var input: Int32?
    var isStopped = false
    /// The number of times in a row that the program has exited within a minute.
    var failures = 0
  }

  /// How long a previous sandbox has to exit and release the port if the process that started it was killed.
  private static let patience = Duration.seconds(2)

  /// Opens the port.
  /// - Parameters:
  ///   - kind: the provider to simulate, as for `homeline sandbox --provider`.
  ///   - port: the port; 0 means a free port, and `nil` the previous run's port.
  ///   - stateFolder: the folder for state that is kept after the sandbox exits.
  /// - Throws: a failure with exit code 73 if another program uses this port. If that program belongs to the user, the error names it.
  init(
    _ kind: String, port: UInt16?, stateFolder: String, program: String, environment: [String: String], log: Log
  ) throws(OperationError) {
    Self.removeLeftovers(in: stateFolder, log)
    if let port {
      sockets = try Self.sockets(port)
    } else {
      sockets = try Self.usualSockets(stateFolder, log)
    }
    guard let port = sockets.port else { preconditionFailure("TCP sockets have a port") }
    self.port = port
    self.program = program
    self.environment = environment
    self.log = log
    arguments = ["serve", kind, "\(sockets.loopbackDescriptors.count)", stateFolder]
    let sources = sockets.loopbackDescriptors.map { number in
      // The source uses the descriptor until it has been cancelled.
      DispatchSource.reading(number, on: Self.queue, closing: { [sockets] in withExtendedLifetime(sockets) {} }) {
        [weak self] in
        self?.startWithConnection()
      }
    }
    state.withLock { $0.waiting = sources }
    for source in sources { source.activate() }
  }

  private static let queue = DispatchQueue(label: "homeline.sandbox")

  private func startWithConnection() {
    let isFirst = state.withLock { state in
      for source in state.waiting { source.cancel() }
      state.waiting = []
      guard !state.isStopped, !state.isStarted else { return false }
      state.isStarted = true
      return true
    }
    guard isFirst else { return }
    do throws(SystemError) { try start() } catch { log(.error, "the sandbox could not be started: \(error)") }
  }

  var baseURL: String { "http://127.0.0.1:\(port)" }

  /// Stops the program and waits up to a second for it to release the port.
  func stop() {
    let input = state.withLock { state in
      state.isStopped = true
      for source in state.waiting { source.cancel() }
      state.waiting = []
      return state.input.take()
    }
    guard let input else { return }
    _ = close(input)
    _ = hasEnded.wait(timeout: .now() + 1)
  }

  /// Opens the previous run's port, so that tokens and the addresses of posts stay valid; the first time, the default port. If another
  /// program uses it, such as another user's sandbox, opens a free port.
  private static func usualSockets(_ stateFolder: String, _ log: Log) throws(OperationError) -> AdoptedSockets {
    let file = "\(stateFolder)/port"
    let last = (try? File.read(file, limit: 16)).flatMap {
      UInt16(String(decoding: $0, as: UTF8.self).prefix { $0 != "\n" })
    }
    let usual = last ?? ProgramDefaults.sandboxPort
    if let sockets = try? sockets(usual) {
      if last == nil { keep(usual, in: file, stateFolder, log) }
      return sockets
    }
    let sockets = try sockets(0)
    guard let port = sockets.port else { preconditionFailure("TCP sockets have a port") }
    log(.info, "the port \(usual) is taken, so the sandbox uses the port \(port)")
    keep(port, in: file, stateFolder, log)
    return sockets
  }

  /// Removes temporary files of killed processes. The program itself starts only with the first connection.
  private static func removeLeftovers(in folder: String, _ log: Log) {
    do throws(SystemError) {
      guard File.exists(folder) else { return }
      for name in try Folder.names(in: folder) {
        guard let mark = name.firstRange(of: ".new-") else { continue }
        try AtomicFile.removeLeftovers(of: "\(folder)/\(name[..<mark.lowerBound])")
      }
    } catch { log(.warning, "\(error)") }
  }

  private static func keep(_ port: UInt16, in file: String, _ folder: String, _ log: Log) {
    do throws(SystemError) {
      try Folder.create(folder)
      try AtomicFile.write(Array("\(port)\n".utf8), to: file, .replaced)
    } catch { log(.warning, "the next sandbox may use another port than \(port): \(error)") }
  }

  private static func sockets(_ port: UInt16) throws(OperationError) -> AdoptedSockets {
    let deadline = BootInstant.now + patience
    while true {
      do throws(ListenError) {
        return try AdoptedSockets(keeping: try .loopback(port: port, host: .literal))
      } catch {
        guard case .portInUse = error else {
          throw OperationError(.cannotCreate, "the sandbox could not be started: \(error)")
        }
        let holder = PortHolder.of(port: port)
        // A sandbox whose owner was killed exits within moments. The kernel truncates a process's name to 15 bytes (proc(5)).
        if holder?.command == String(name.prefix(15)), BootInstant.now < deadline {
          usleep(20_000)
          continue
        }
        throw OperationError(
          .cannotCreate,
          "the sandbox's port \(port) is taken\(holder.map { " by \($0)" } ?? ""). Stop that program, or use another port: sandbox.port in the configuration, --sandbox-port of the demo"
        )
      }
    }
  }

  /// Starts the program, and restarts it whenever it exits on its own.
  private func start() throws(SystemError) {
    let (process, input) = try Child.serve(
      program, arguments, environment: environment, descriptors: sockets.loopbackDescriptors)
    let isStopped = state.withLock { state in
      if !state.isStopped { state.input = input }
      return state.isStopped
    }
    if isStopped { _ = close(input) }
    let startedAt = BootInstant.now
    try DetachedThread.start { [weak self] in
      let status = Child.wait(for: process)
      self?.ended(with: status, after: BootInstant.now - startedAt)
    }
  }

  private func ended(with status: Int32, after duration: Duration) {
    let pause: UInt32? = state.withLock { state in
      if let input = state.input.take() { _ = close(input) }
      guard !state.isStopped else { return nil }
      state.failures = duration < .seconds(60) ? state.failures + 1 : 1
      return UInt32(min(60, 1 << min(state.failures - 1, 6)))
    }
    guard let pause else {
      hasEnded.signal()
      return
    }
    log(.warning, "the sandbox exited with status \(status); it will be restarted in \(pause) s")
    sleep(pause)
    guard !state.withLock({ $0.isStopped }) else { return }
    do throws(SystemError) { try start() } catch { log(.error, "the sandbox could not be restarted: \(error)") }
  }
}

/// The application that the sandbox accepts for each provider that it can simulate.
enum SandboxApplication {
  static func keys(of account: AccountSettings) throws(OperationError) -> ApplicationKeys {
    switch account.provider {
    case "sandbox": .oauth1(ClientCredentials(identifier: "sandbox", secret: Secret("open+sesame/&=%")))
    case "x": .oauth2(id: "homeline-demo", secret: nil)
    case "weibo": .oauth2(id: "2026112100", secret: Secret("weibo-sandbox-app-secret"))
    case "mastodon": .selfRegistered
    default:
      throw OperationError(.configuration, "the provider \(account.provider) is not part of homeline; it needs keys")
    }
  }
}
