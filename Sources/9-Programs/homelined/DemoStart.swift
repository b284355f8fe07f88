internal import Commands
internal import Dispatch
internal import Folders
internal import Formats
internal import Platform
internal import Service
internal import Settings
internal import StorageFiles
internal import StorageSQLite
internal import Time
internal import Timeline

/// `homeline demo`: logs in to a simulated provider and refreshes its timeline, with the real login, listener, client and files.
struct DemoStart {
  let arguments: Command.Demo
  /// Whether to print the result as JSON and the steps on standard error.
  let isJSON: Bool
  let environment: CommandEnvironment
  let log: Log

  /// Starts the demo.
  /// - Returns: The demo, which runs as long as this object is kept.
  func start() throws(CommandError) -> DemoRun {
    guard let name = AccountName("demo") else { preconditionFailure("a valid name") }
    var account = AccountSettings(
      name: name, provider: arguments.provider.providerName, credentials: .builtIn, refreshInterval: .seconds(10))
    account.publish = PublishedFormat.allCases
    let layout = layout(try environment.folders())
    let lock = try HeldLock.takeAlone(layout, for: Command.Demo.name)
    if arguments.provider != .twitter { try forget(layout, name.text) }
    let context = try DaemonContext(
      holding: lock,
      DaemonContext.Plan(
        configuration: Configuration(
          callback: CallbackSettings(port: arguments.port ?? 0), accounts: [account],
          sandbox: SandboxSettings(port: arguments.sandboxPort)),
        configurationPath: layout.configFile, layout: layout, log: log,
        // The user wants to see each post immediately.
        gathering: .zero),
      environment: environment)
    let run = DemoRun(account: account, context: context, arguments, isJSON: isJSON)
    try run.start()
    return run
  }

  private func layout(_ folders: BaseDirectories) -> FileLayout {
    let layout = FileLayout(folders)
    return arguments.provider == .twitter ? layout.demo : layout.demo(of: arguments.provider.rawValue)
  }

  /// Removes the files of an earlier demo. Simulated providers other than `twitter` forget their tokens when they exit, and get a new
  /// address.
  private func forget(_ layout: FileLayout, _ account: String) throws(CommandError) {
    let files = layout.files(of: account)
    let database = ["", "-wal", "-shm"].map { files.database + $0 }
    do throws(SystemError) {
      for path in [files.token, files.timeline] + database { try File.remove(path) }
      for server in try layout.knownServers() { try server.remove() }
    } catch { throw CommandError(.inputOutput, "could not remove the files of an earlier demo: \(error)") }
  }
}
