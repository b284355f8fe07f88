internal import Commands
internal import Folders
internal import LocalCommands
internal import Platform

/// Offers to start the service that keeps the timelines fresh, after every login while no service runs.
struct ServiceOffer {
  let context: CommandContext
  /// Whether the user can be asked.
  let asks: Bool
  /// Whether the service is started without asking.
  let accepts: Bool

  /// Asks the state owner to log in to an existing account, and then offers the service if a user is there to answer.
  static func following(_ login: Command.Login, in context: CommandContext) -> Preparation {
    let asks = Terminal.inputIsTerminal && Terminal.errorIsTerminal && !context.invocation.isJSON
    let offer = ServiceOffer(context: context, asks: asks, accepts: false)
    guard asks, (try? offer.isMissing()) == true else {
      return .ask(login, arguments: context.arguments, cleanUp: { _ in })
    }
    return .ask(
      login, arguments: context.arguments, waits: true,
      cleanUp: { code in
        guard code == .done else { return }
        do throws(CommandError) { try offer.make() } catch { Terminal.say("homeline: \(error)") }
      })
  }

  func make() throws(CommandError) {
    guard try isMissing() else { return }
    let start = try start()
    switch start {
    case .unit:
      guard try isWanted() else { return say("no service is running. \(start.advice)") }
      try startService()
    case .maskedUnit: say("no service is running. \(start.advice)")
    case .cron:
      if !ServiceStart.isCronUsed(context.environment.variables) { say("no service is running. \(start.advice)") }
    }
  }

  /// Whether the service can be started by systemd, and will be offered or started.
  var isAvailable: Bool { (asks || accepts) && (try? start()) == .unit }

  /// Returns whether no service is running.
  private func isMissing() throws(CommandError) -> Bool {
    OwnerLock.currentOwner(try context.layout())?.isService != true
  }

  private func start() throws(CommandError) -> ServiceStart {
    do throws(SystemError) {
      return ServiceStart.find(context.environment.variables, program: try ProcessEnvironment.programPath())
    } catch { throw CommandError(.software, "\(error)") }
  }

  private func isWanted() throws(CommandError) -> Bool {
    if accepts { return true }
    guard asks else { return false }
    do throws(SystemError) {
      let answer = try Terminal.ask("Start the service now and at each login? [Y/n] ")
      return answer.map { $0.isEmpty || $0.lowercased().hasPrefix("y") } ?? false
    } catch { throw CommandError(error) }
  }

  private func startService() throws(CommandError) {
    do throws(SystemError) {
      let command = ServiceStart.command
      let status = try Child.runInForeground(
        command[0], Array(command.dropFirst()), environment: context.environment.variables)
      say(
        status == 0
          ? "the service is running" : "the service was not started. The reason is in: systemctl --user status homeline"
      )
    } catch { say("the service was not started: \(error)") }
  }

  private func say(_ line: String) { Terminal.say("homeline: \(line)") }
}
