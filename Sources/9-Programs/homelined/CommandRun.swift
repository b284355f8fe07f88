internal import Commands
internal import ControlProtocol
internal import Dispatch
internal import Folders
internal import Glibc
internal import Platform
internal import Settings

/// Runs a command in the state owner. If there is none, this process becomes the owner and sends the request to its own
/// control socket.
struct CommandRun {
  let command: any OwnerCommand
  let configuration: ConfigurationFiles
  /// Whether the file was given with `--config`.
  let namesConfiguration: Bool
  /// Whether the results are printed as JSON.
  let isJSON: Bool
  let environment: CommandEnvironment
  let log: Log

  /// How long another process may take to start listening after it has acquired the lock, or to exit after it has stopped listening.
  private static let transitionTimeout = Duration.seconds(5)
  /// The pause between attempts, in microseconds.
  private static let pause: UInt32 = 20_000

  /// Starts the command. If another process has run the command, this call does not return.
  /// - Returns: An object to keep as long as the process runs.
  func start() throws(CommandError) -> any Sendable {
    let layout = FileLayout(try environment.folders())
    let deadline = BootInstant.now + Self.transitionTimeout
    while true {
      switch try claim(layout) {
      case .held(let lock):
        return try StandaloneRun(context(lock, layout), command, environment, isJSON: isJSON).start()
      case .taken(let other):
        guard let path = other?.controlSocket else {
          if other == nil, BootInstant.now < deadline { break }
          throw HeldLock.busy(other)
        }
        do throws(OwnerUnavailableError) {
          log(.debug, "sending the command to \(other.map { "\($0)" } ?? "the owner") at \(path)")
          let owner = OwnerClient(
            ControlClient(path: path), configuration: namesConfiguration ? configuration : nil,
            environment: environment, isJSON: isJSON)
          try owner.run(command).endProcess()
        } catch {
          guard BootInstant.now < deadline else {
            throw CommandError(.temporary, "\(HeldLock.busy(other).message) (\(error))")
          }
        }
      }
      usleep(Self.pause)
    }
  }

  /// Acquires the lock, or returns its holder. An invalid configuration is an error only if this process becomes the owner and therefore
  /// needs it.
  private func claim(_ layout: FileLayout) throws(CommandError) -> HeldLock.Outcome {
    do throws(CommandError) { _ = try configuration.load() } catch {
      if let owner = OwnerLock.currentOwner(layout), owner.controlSocket != nil { return .taken(by: owner) }
      throw error
    }
    return try HeldLock.take(layout, for: type(of: command).name)
  }

  private func context(_ lock: HeldLock, _ layout: FileLayout) throws(CommandError) -> DaemonContext {
    try DaemonContext(
      holding: lock,
      DaemonContext.Plan(
        configuration: try configuration.load(), configurationPath: configuration.identity, layout: layout,
        log: log),
      environment: environment)
  }
}
