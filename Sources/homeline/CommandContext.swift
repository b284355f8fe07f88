internal import CivilTime
internal import Commands
internal import ConfigurationStore
internal import Files
internal import Glibc
internal import Keyring
internal import Platform
internal import Settings
internal import Storage
internal import StorageSQLite
internal import TerminalText

/// A command that `homeline` runs itself, without the network and without the process that owns the state.
protocol LocalCommand: CommandDeclaration {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode
}

/// A command that `homeline` prepares before it sends a request to the owner of the state.
protocol PreparedCommand: OwnerCommand {
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation
}

/// The result of a command's preparation.
enum Preparation {
  /// The command is complete; no request is sent to the process that owns the state.
  case done(ExitCode)
  /// The process that owns the state is requested to run this command.
  /// - Parameters:
  ///   - arguments: The command's arguments for `homelined`.
  ///   - waits: Whether this process waits for a `homelined` that becomes the owner of the state, instead of being replaced by it.
  ///   - cleanUp: Called with the exit code after the process that owns the state has replied, or after the `homelined` that this process
  ///     waits for has exited.
  case ask(any OwnerCommand, arguments: SettledArguments, waits: Bool = false, cleanUp: (ExitCode) -> Void)
}

/// The parsed command line and the environment of a command.
struct CommandContext {
  let registry: CommandRegistry
  let environment: CommandEnvironment
  let invocation: Invocation
  /// The command's arguments for a program that continues it.
  let arguments: SettledArguments

  /// Runs commands in the owner of the state.
  var owner: OwnerRun { OwnerRun(environment: environment, invocation: invocation) }

  func folders() throws(CommandError) -> BaseDirectories { try environment.folders() }

  func layout() throws(CommandError) -> FileLayout { FileLayout(try folders()) }

  /// Returns the stored data of all accounts, for reading.
  func storage() throws(CommandError) -> any StorageProvider {
    // No tokens are written here, so the form of new tokens does not matter.
    FileStorage(try layout(), vault: TokenVault(try keyring(), protection: .files))
  }

  /// Returns the keys of encrypted tokens.
  func keyring() throws(CommandError) -> TokenKeyring {
    TokenKeyring(session: environment.variables, stateFolder: try layout().stateFolder, startsProvider: true)
  }

  func archives() throws(CommandError) -> Archives { Archives(storage: try storage()) }

  func publishedFiles() throws(CommandError) -> PublishedFiles { PublishedFiles(try layout()) }

  func configurationFiles() throws(CommandError) -> ConfigurationFiles {
    try environment.configurationFiles(invocation)
  }

  /// Returns the named account in the configuration, otherwise the only enabled one.
  /// - Parameter isForPosting: whether only accounts that can have posts are considered.
  func account(_ name: AccountName?, isForPosting: Bool = false) throws(CommandError) -> AccountSettings {
    let configuration = try configurationFiles().load()
    do throws(AccountChoiceError) {
      return try configuration.account(named: name?.text, isForPosting: isForPosting)
    } catch {
      throw CommandError(error)
    }
  }

  /// Writes a command's output, and its notes on standard error.
  /// - Parameter isPaged: Whether a pager shows the output if it goes to a terminal. The notes then follow it.
  /// - Returns: The exit code of the command.
  func write(_ output: CommandOutput, isPaged: Bool = false) throws(CommandError) -> ExitCode {
    if isPaged, !output.text.isEmpty, let pager = Pager(environment: environment), pager.show(output.text) {
      for note in output.notes { Terminal.say("homeline: \(note)") }
      return output.code
    }
    for note in output.notes { Terminal.say("homeline: \(note)") }
    do throws(SystemError) {
      try Terminal.answer(output.text)
    } catch {
      // Some service managers make their programs ignore SIGPIPE. In that case, a closed pipe is not an error either.
      if error.code == EPIPE { return .inputOutput }
      throw CommandError(error)
    }
    return output.code
  }
}

/// The output of a command.
struct CommandOutput {
  /// What is written to standard output.
  let text: ProgramOutput
  /// The lines for standard error.
  let notes: [String]
  let code: ExitCode

  init(_ text: ProgramOutput, notes: [String] = [], code: ExitCode = .done) {
    self.text = text
    self.notes = notes
    self.code = code
  }

  /// - Parameter text: The text for standard output, which may come from outside the program.
  init(_ text: String, notes: [String] = [], code: ExitCode = .done) {
    self.init(.plain(text), notes: notes, code: code)
  }
}
