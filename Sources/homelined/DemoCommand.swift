internal import CivilTime
internal import Commands
internal import Dispatch
internal import Glibc
internal import Platform
internal import Publish
internal import Service
internal import Settings
internal import Store

/// `homeline demo`: the whole job on the embedded provider, by the real login, listener, client and files.
struct DemoCommand {
  let once: Bool
  let port: UInt16?
  let surroundings: Surroundings
  let log: Log

  /// - Returns: the demonstration, which goes on as long as it lives.
  func start() throws(CommandFailure) -> DemoRun {
    guard let name = AccountName("demo") else { preconditionFailure("a valid name") }
    let account = AccountSettings(
      name: name, provider: "sandbox", credentials: .builtIn, refreshInterval: .seconds(10))
    let layout = FileLayout(try surroundings.folders()).demo
    let house = try House(
      holding: try HeldLock.takeAlone(layout, for: CommandName.demo.rawValue),
      House.Plan(
        configuration: Configuration(callback: CallbackSettings(port: port ?? 0), accounts: [account]),
        configurationPath: layout.configFile, layout: layout, log: log),
      surroundings: surroundings)
    let run = DemoRun(account: account, house: house, once: once)
    try run.start()
    return run
  }
}
