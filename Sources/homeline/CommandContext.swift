internal import CivilTime
internal import Commands
internal import Files
internal import Glibc
internal import Keyring
internal import Platform
internal import Settings
internal import Storage
internal import StorageSQLite

/// A command that `homeline` runs itself, without the network and the owner of the state.
protocol LocalCommand: CommandDeclaration {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode
}

/// A command that `homeline` prepares before it sends a request to the owner of the state.
protocol PreparedCommand: OwnerCommand {
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation
}

/// The result of a command's preparation.
enum Preparation {
  /// The command is complete; no request is sent to the owner.
  case done(ExitCode)
  /// The owner is requested to run this command.
  /// - Parameters:
  ///   - arguments: The arguments of the command for `homelined`.
  ///   - waits: Whether this process waits for a `homelined` that becomes the owner, instead of being replaced by it.
  ///   - cleanUp: Called with the exit code after an owner has replied, or after the `homelined` that this process has waited for.
  case ask(any OwnerCommand, arguments: [String], waits: Bool = false, cleanUp: (ExitCode) -> Void)
}

/// The parsed command line and the environment of a command.
struct CommandContext {
  let registry: CommandRegistry
  let environment: CommandEnvironment
  let invocation: Invocation
  /// The unparsed arguments of the program.
  let arguments: [String]

  func folders() throws(CommandError) -> BaseDirectories { try environment.folders() }

  func layout() throws(CommandError) -> FileLayout { FileLayout(try folders()) }

  /// The stored data of all accounts, for reading.
  func storage() throws(CommandError) -> any StorageProvider {
    // Nothing is written, so the form of new tokens does not matter.
    FileStorage(try layout(), vault: TokenVault(try keyring(), protection: .files))
  }

  /// The keys of encrypted tokens.
  func keyring() throws(CommandError) -> TokenKeyring {
    TokenKeyring(session: environment.variables, stateFolder: try layout().stateFolder, startsProvider: true)
  }

  func archives() throws(CommandError) -> Archives { Archives(storage: try storage()) }

  func publishedFiles() throws(CommandError) -> PublishedFiles { PublishedFiles(try layout()) }

  func configurationFile() throws(CommandError) -> ConfigurationFile {
    try environment.configurationFile(invocation)
  }

  /// The named account in the configuration, otherwise the only enabled one.
  func account(_ name: AccountName?) throws(CommandError) -> AccountSettings {
    let configuration = try configurationFile().load()
    do throws(AccountChoiceError) { return try configuration.account(named: name?.text) } catch {
      throw CommandError(.usage, "\(error)")
    }
  }

  /// Writes a command's output, and its notes on standard error.
  /// - Returns: The exit code of the command.
  func write(_ output: CommandOutput) throws(CommandError) -> ExitCode {
    for note in output.notes { Terminal.say("homeline: \(note)") }
    do throws(SystemError) {
      try Terminal.answer(bytes: output.bytes)
    } catch {
      // Some service managers make their programs ignore SIGPIPE. A closed pipe is not an error then either.
      if error.code == EPIPE { return .inputOutput }
      throw CommandError(.inputOutput, "\(error)")
    }
    return output.code
  }
}

/// The output of a command.
struct CommandOutput {
  /// The bytes for standard output.
  let bytes: [UInt8]
  /// The lines for standard error.
  let notes: [String]
  let code: ExitCode

  /// - Parameter bytes: The bytes for standard output, written without changes.
  init(bytes: [UInt8], notes: [String] = [], code: ExitCode = .done) {
    self.bytes = bytes
    self.notes = notes
    self.code = code
  }

  /// - Parameter text: The text for standard output. Control characters in it are escaped.
  init(_ text: String, notes: [String] = [], code: ExitCode = .done) {
    self.init(bytes: Array(VisibleText.of(text).utf8), notes: notes, code: code)
  }
}
