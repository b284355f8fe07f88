internal import Commands
internal import Control
internal import Dispatch
internal import Files
internal import Glibc
internal import Platform
internal import Settings

/// Has a command done by the owner of the state, or, where there is none, becomes the owner and sends the request to its own control
/// socket.
struct CommandRun {
  let command: any OwnerCommand
  let configuration: ConfigurationFile
  /// Whether the user named that file for this command.
  let namesConfiguration: Bool
  let environment: CommandEnvironment
  let log: Log

  /// How long an owner may take to listen after it took the lock, or to end after it stopped listening.
  private static let patience = Duration.seconds(5)
  /// In microseconds.
  private static let pause: UInt32 = 20_000

  /// - Returns: an object that must live as long as the process; where another owner was asked, the process ends before.
  func start() throws(CommandFailure) -> any Sendable {
    let layout = FileLayout(try environment.folders())
    let deadline = BootInstant.now + Self.patience
    while true {
      switch try claim(layout) {
      case .held(let lock): return try StandaloneRun(context(lock, layout), command, environment).start()
      case .taken(let other):
        guard let path = other?.controlSocket else {
          if other == nil, BootInstant.now < deadline { break }
          throw HeldLock.busy(other)
        }
        do throws(OwnerUnavailable) {
          log(.debug, "asking \(other.map { "\($0)" } ?? "the owner") at \(path)")
          let owner = OwnerClient(
            ControlClient(path: path), configuration: namesConfiguration ? configuration.path : nil,
            environment: environment)
          try owner.run(command).endProcess()
        } catch {
          guard BootInstant.now < deadline else {
            throw CommandFailure(.temporary, "\(HeldLock.busy(other).message) (\(error))")
          }
        }
      }
      usleep(Self.pause)
    }
  }

  /// The lock, or who has it. A configuration with mistakes matters only to whoever would have to work by it.
  private func claim(_ layout: FileLayout) throws(CommandFailure) -> HeldLock.Outcome {
    do throws(CommandFailure) { _ = try configuration.load() } catch {
      if let owner = OwnerLock.currentOwner(layout), owner.controlSocket != nil { return .taken(by: owner) }
      throw error
    }
    return try HeldLock.take(layout, for: type(of: command).name)
  }

  private func context(_ lock: HeldLock, _ layout: FileLayout) throws(CommandFailure) -> DaemonContext {
    try DaemonContext(
      holding: lock,
      DaemonContext.Plan(
        configuration: try configuration.load(), configurationPath: File.realPath(configuration.path), layout: layout,
        log: log),
      environment: environment)
  }
}
