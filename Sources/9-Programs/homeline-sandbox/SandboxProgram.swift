internal import Commands
internal import Dispatch
internal import Glibc
internal import HTTP
internal import HTTPServer
internal import Platform
internal import Sandbox
internal import Time

/// The program that simulates providers: as a child of `homelined`, on its sockets, or as `homeline sandbox`.
struct SandboxProgram {
  func run(_ arguments: [String]) -> Never {
    do throws(CommandError) {
      let server = try arguments.first == "serve" ? serve(arguments.dropFirst()) : serveUser(arguments)
      withExtendedLifetime(server) { dispatchMain() }
    } catch {
      Terminal.say("homeline: \(error)")
      error.exitCode.endProcess()
    }
  }

  // MARK: As a child of homelined

  /// `serve PROVIDER COUNT FOLDER`: serves on the inherited sockets, from descriptor 3 on, until standard input ends.
  private func serve(_ arguments: ArraySlice<String>) throws(CommandError) -> Server {
    let arguments = Array(arguments)
    guard arguments.count == 3, let simulation = Simulation.named(arguments[0]), let count = Int32(arguments[1]),
      count > 0
    else { throw CommandError(.usage, "homeline-sandbox is started by homelined; run: homeline sandbox") }
    // Ctrl-C in a terminal ends homelined, which then stops this program.
    signal(SIGINT, SIG_IGN)
    do throws(SystemError) { try DetachedThread.start(Self.endWithInput) } catch {
      throw CommandError(.software, "\(error)")
    }
    return try Self.start(
      simulation, on: try Self.adopted(count), SandboxOptions(stateFolder: arguments[2], redirects: [Self.redirect])
    ).server
  }

  private static func adopted(_ count: Int32) throws(CommandError) -> ListeningSockets {
    do throws(ListenError) {
      let numbers = Array(Child.firstDescriptor..<Child.firstDescriptor + count)
      if let sockets = try AdoptedSockets(owning: numbers).loopback() { return sockets }
      throw .notLoopback(descriptor: Child.firstDescriptor)
    } catch { throw CommandError(.cannotCreate, "\(error)") }
  }

  /// Waits for the end of standard input. No process writes to it, and it ends when `homelined` exits in any way.
  @Sendable private static func endWithInput() {
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(STDIN_FILENO, &byte, 1)
      if count == 0 || count == -1 && errno != EINTR { ExitCode.done.endProcess() }
    }
  }

  // MARK: As homeline sandbox

  private func serveUser(_ arguments: [String]) throws(CommandError) -> Server {
    let invocation: Invocation
    do throws(UsageError) {
      invocation = try CommandParser(.standard).parse(arguments, now: WallClock.system.now)
    } catch {
      throw CommandError(error)
    }
    guard let command = invocation.command as? Command.Sandbox,
      let simulation = Simulation.named(command.provider.rawValue)
    else {
      throw CommandError(.usage, "homeline-sandbox is started by homeline; run: homeline sandbox")
    }
    var options = SandboxOptions(redirects: command.redirects.isEmpty ? [Self.redirect] : command.redirects)
    let faults = Locked(Self.schedule(command.faults))
    options.fault = { request in faults.withLock { $0.next(for: request) } }
    options.interrupts = { request in faults.withLock { $0.interrupts(request) } }
    if invocation.isVerbose {
      options.onRequest = { request, status in
        Terminal.say("\(request.method) \(request.target) -> \(status.map { "\($0.code)" } ?? "no response")")
      }
    }
    let (server, guide) = try Self.start(simulation, on: try Self.sockets(port: command.port), options)
    try? Terminal.answer(Self.text(of: guide))
    return server
  }

  private static func schedule(_ faults: [Command.Sandbox.Fault]) -> FaultSchedule {
    var schedule = FaultSchedule()
    for fault in faults { schedule.add(fault.name, every: fault.every) }
    return schedule
  }

  /// Returns lines of `name: value`, with the values aligned.
  private static func text(of guide: [GuideLine]) -> String {
    let width = guide.map(\.name.count).max() ?? 0
    return guide.map { line in
      "\(line.name):\(String(repeating: " ", count: width - line.name.count + 1))\(line.value)\n"
    }.joined()
  }

  /// Opens a port.
  /// - Parameter port: the port; 0 for a free port, nil for the default port, or a free port if that is taken.
  private static func sockets(port: UInt16?) throws(CommandError) -> ListeningSockets {
    guard let port else {
      do throws(ListenError) { return try .loopback(port: Command.Sandbox.usualPort, host: .literal) } catch {
        guard case .portInUse = error else { throw CommandError(.cannotCreate, "\(error)") }
        Terminal.say("homeline: port \(Command.Sandbox.usualPort) is taken, so the sandbox uses a free one")
        return try sockets(port: 0)
      }
    }
    do throws(ListenError) { return try .loopback(port: port, host: .literal) } catch {
      let holder = if case .portInUse = error { PortHolder.of(port: port) } else { PortHolder?.none }
      throw CommandError(
        .cannotCreate,
        holder.map { "port \(port) is taken by \($0); stop it, or choose another port with --port" } ?? "\(error)")
    }
  }

  private static func start(
    _ simulation: Simulation, on sockets: consuming ListeningSockets, _ options: SandboxOptions
  ) throws(CommandError) -> (server: Server, guide: [GuideLine]) {
    do throws(SandboxError) { return try simulation.serve(on: sockets, options) } catch {
      throw CommandError(error)
    }
  }

  /// The redirect URI registered by default. Any port is accepted.
  private static let redirect = "http://127.0.0.1/callback"
}
