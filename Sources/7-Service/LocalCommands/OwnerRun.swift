package import Commands
internal import ControlProtocol
package import Folders
package import Platform

/// Runs commands in the state owner, or in a program that becomes the owner.
package struct OwnerRun {
  let environment: CommandEnvironment
  let invocation: Invocation

  package init(environment: CommandEnvironment, invocation: Invocation) {
    self.environment = environment
    self.invocation = invocation
  }

  /// The argument before a command that is prepared, so that `homelined` does not prepare it again. It is not the name of a command.
  package static let preparedMark = "prepared"

  /// Runs a command and waits until it has finished.
  /// - Parameter arguments: The command's arguments, without global options, for a program that becomes the owner.
  package func run(_ command: some OwnerCommand, _ arguments: [String]) throws(CommandError) -> ExitCode {
    if let code = try askOwner(command) { return code }
    let configuration = invocation.configurationFile.map { ["--config", $0] } ?? []
    return try runProgram(
      configuration + arguments + (invocation.isVerbose ? ["-v"] : []) + (invocation.isJSON ? ["--json"] : []),
      of: command)
  }

  /// Sends a command to the state owner, if there is one that accepts requests.
  /// - Returns: nil if there is none. `homelined` then becomes the owner, or reports why the current owner does not reply.
  package func askOwner(_ command: some OwnerCommand) throws(CommandError) -> ExitCode? {
    let owner = OwnerSearch.owner(of: FileLayout(try environment.folders()))
    guard let owner, let path = owner.controlSocket else { return nil }
    if invocation.isVerbose { Terminal.say("homeline: sending the command to \(owner) at \(path)") }
    if invocation.isVerbose, let note = owner.upgradeNote { Terminal.say("homeline: \(note)") }
    // A closed standard output must not end a login halfway.
    Terminal.surviveFailedWrites()
    if let note = command.interruptionNote { Terminal.sayWhenInterrupted(note) }
    var named: ConfigurationFiles?
    if invocation.configurationFile != nil { named = try environment.configurationFiles(invocation) }
    let client = OwnerClient(
      owner.client(at: path), configuration: named, environment: environment, isJSON: invocation.isJSON)
    do throws(OwnerUnavailableError) { return try client.run(command) } catch {
      if invocation.isVerbose { Terminal.say("homeline: \(error)") }
      return nil
    }
  }

  /// Makes a running service read the configuration again. Does nothing if no service is running, or if the service uses a
  /// different configuration.
  /// - Returns: 75 if the service did not reply; 78 if it refuses the configuration.
  package func reloadService(_ files: ConfigurationFiles) throws(CommandError) -> ExitCode {
    guard let owner = OwnerLock.currentOwner(FileLayout(try environment.folders())), owner.isService,
      let path = owner.controlSocket
    else { return .done }
    let client = owner.client(at: path)
    do throws(ControlClientError) {
      let status = try client.status(timeout: .seconds(5))
      guard File.realPath(status.owner.configuration) == files.identity else { return .done }
      let end = try client.events(of: ReloadRequest()) { _ in }
      if let message = end.message { Terminal.say("homeline: \(message)") }
      return end.exit
    } catch {
      Terminal.say("homeline: the service has not read the configuration again: \(error)")
      return .temporary
    }
  }

  /// Replaces this process's program with another one with these arguments (`execv`). Returns only if that fails.
  package func handOver(_ arguments: [String], of command: any CommandDeclaration) -> CommandError {
    do throws(CommandError) {
      let path = try program(of: command)
      return CommandError(.software, "\(ProcessEnvironment.become(path, arguments: arguments))")
    } catch { return error }
  }

  /// Runs the program of a prepared command and waits until it exits. Ctrl-C is meant for that program, and ends this one with it.
  package func runProgram(_ arguments: [String], of command: any CommandDeclaration) throws(CommandError) -> ExitCode {
    let path = try program(of: command)
    do throws(SystemError) {
      let status = try Child.runInForeground(
        path, [Self.preparedMark] + arguments, environment: environment.variables)
      return ExitCode(rawValue: status) ?? .software
    } catch { throw CommandError(.software, "\(error)") }
  }

  /// Runs a command's program without a terminal.
  /// - Returns: its standard output.
  package func output(of command: any CommandDeclaration, _ arguments: [String]) throws(CommandError) -> [UInt8] {
    let path = try program(of: command)
    do throws(SystemError) {
      return try Child.output(
        of: path, arguments, environment: environment.variables, limit: Self.outputLimit, timeout: Self.outputTimeout)
    } catch { throw CommandError(.software, "\(error)") }
  }

  private static let outputLimit = 1 << 16
  private static let outputTimeout = Duration.seconds(180)

  /// Returns the path of the program that runs a command.
  private func program(of command: any CommandDeclaration) throws(CommandError) -> String {
    guard let other = type(of: command).program else {
      preconditionFailure("\(type(of: command).name) has no program and is not a LocalCommand")
    }
    let program: String
    do throws(SystemError) { program = try ProcessEnvironment.programPath() } catch {
      throw CommandError(.software, "\(error)")
    }
    return try other.find(besides: program, isExecutable: File.isExecutable)
  }
}
