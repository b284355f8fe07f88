internal import CivilTime
internal import Commands
internal import Dispatch
internal import Glibc
internal import HTTP
internal import Platform
internal import Sandbox
internal import Transport

/// The program that simulates providers: for `homelined`, on sockets that it hands over, or for the user, by `homeline sandbox`.
struct SandboxProgram {
  func run(_ arguments: [String]) -> Never {
    do throws(CommandFailure) {
      let server = try arguments.first == "serve" ? serve(arguments.dropFirst()) : serveUser(arguments)
      withExtendedLifetime(server) { dispatchMain() }
    } catch {
      Terminal.say(error.description)
      error.code.endProcess()
    }
  }

  // MARK: For homelined

  /// `serve KIND COUNT FOLDER`: serves the sockets that were handed over as descriptors 3 and following until standard input ends.
  private func serve(_ arguments: ArraySlice<String>) throws(CommandFailure) -> any Sendable {
    let arguments = Array(arguments)
    guard arguments.count == 3, let kind = SandboxKind(rawValue: arguments[0]), let count = Int32(arguments[1]),
      count > 0
    else { throw CommandFailure(.usage, "homeline-sandbox is started by homelined; run: homeline sandbox") }
    // Ctrl-C in a terminal is meant for the program that started this one, which then ends this one.
    signal(SIGINT, SIG_IGN)
    do throws(SystemError) { try DetachedThread.start(Self.endWithInput) } catch {
      throw CommandFailure(.software, "\(error)")
    }
    return try Self.start(
      kind, on: try Self.adopted(count), SandboxOptions(stateFolder: arguments[2], redirects: [Self.redirect]))
  }

  private static func adopted(_ count: Int32) throws(CommandFailure) -> ListeningSockets {
    do throws(ListenError) {
      let numbers = Array(Child.firstDescriptor..<Child.firstDescriptor + count)
      if let sockets = try AdoptedSockets(owning: numbers).loopback() { return sockets }
      throw .notLoopback(descriptor: Child.firstDescriptor)
    } catch { throw CommandFailure(.cannotCreate, "\(error)") }
  }

  /// Nobody writes to standard input: its end is the end of `homelined`, however that came.
  @Sendable private static func endWithInput() {
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(STDIN_FILENO, &byte, 1)
      if count == 0 || count == -1 && errno != EINTR { ExitCode.done.endProcess() }
    }
  }

  // MARK: For the user

  private func serveUser(_ arguments: [String]) throws(CommandFailure) -> any Sendable {
    let invocation: Invocation
    do throws(UsageError) { invocation = try CommandParser.parse(arguments, now: WallClock.system.now) } catch {
      throw error.failure
    }
    guard case .sandbox(let command) = invocation.command, let kind = SandboxKind(rawValue: command.provider.rawValue)
    else {
      throw CommandFailure(.usage, "homeline-sandbox is started by homeline; run: homeline sandbox")
    }
    var options = SandboxOptions(redirects: command.redirects.isEmpty ? [Self.redirect] : command.redirects)
    for fault in command.faults {
      guard let name = StandingFaults.Name(rawValue: fault.name.rawValue) else {
        preconditionFailure("each fault that can be named is known to the sandbox")
      }
      options.faults.add(name, every: fault.every)
    }
    if invocation.isVerbose {
      options.onRequest = { record in
        Terminal.say("\(record.method) \(record.path) -> \(record.status.map { "\($0.code)" } ?? "no response")")
      }
    }
    let server = try Self.start(kind, on: try Self.sockets(port: command.port), options)
    try? Terminal.answer(SandboxDescription(kind, base: server.baseURL, redirects: options.redirects).text)
    return server
  }

  private static func sockets(port: UInt16) throws(CommandFailure) -> ListeningSockets {
    do throws(ListenError) { return try .loopback(port: port, host: .literal) } catch {
      let holder = if case .portInUse = error { PortHolder.of(port: port) } else { PortHolder?.none }
      throw CommandFailure(
        .cannotCreate,
        holder.map { "port \(port) is taken by \($0); end it, or take another one with --port" } ?? "\(error)")
    }
  }

  private static func start(
    _ kind: SandboxKind, on sockets: consuming ListeningSockets, _ options: SandboxOptions
  ) throws(CommandFailure) -> any RunningSandbox {
    do throws(SandboxError) { return try kind.serve(on: sockets, options) } catch {
      throw CommandFailure(.cannotCreate, "\(error)")
    }
  }

  /// Any port of it is let in.
  private static let redirect = "http://127.0.0.1/callback"
}
