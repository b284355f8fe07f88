internal import CivilTime
internal import Commands
internal import Files
internal import Glibc
internal import Platform
internal import Settings
internal import Storage
internal import StorageSQLite

/// A command that `homeline` does itself: it needs neither the network nor the owner of the state.
protocol LocalCommand: CommandDeclaration {
  func run(in context: CommandContext) throws(CommandFailure) -> ExitCode
}

/// A command of the owner with work that `homeline` does first.
protocol PreparedCommand: OwnerCommand {
  func prepare(in context: CommandContext) throws(CommandFailure) -> Preparation
}

/// The outcome of the work before the owner is asked.
enum Preparation {
  /// The owner need not be asked.
  case done(ExitCode)
  /// The owner is asked for this command.
  /// - Parameters:
  ///   - arguments: those of the same command for `homelined`.
  ///   - cleanUp: called when an owner has been asked.
  case ask(any OwnerCommand, arguments: [String], cleanUp: () -> Void)
}

/// The surroundings of a command, and how its arguments were given.
struct CommandContext {
  let registry: CommandRegistry
  let environment: CommandEnvironment
  let invocation: Invocation
  /// The arguments of the program.
  let arguments: [String]

  func folders() throws(CommandFailure) -> BaseDirectories { try environment.folders() }

  func layout() throws(CommandFailure) -> FileLayout { FileLayout(try folders()) }

  /// The stored data of all accounts, to be read.
  func storage() throws(CommandFailure) -> any StorageProvider { FileStorage(try layout()) }

  func archives() throws(CommandFailure) -> Archives { Archives(storage: try storage()) }

  func publishedFiles() throws(CommandFailure) -> PublishedFiles { PublishedFiles(try layout()) }

  func configurationFile() throws(CommandFailure) -> ConfigurationFile {
    try environment.configurationFile(invocation)
  }

  /// The named account of the configuration; without a name the only enabled one.
  func account(_ name: AccountName?) throws(CommandFailure) -> AccountSettings {
    let configuration = try configurationFile().load()
    do throws(AccountChoiceError) { return try configuration.account(named: name?.text) } catch {
      throw CommandFailure(.usage, "\(error)")
    }
  }

  /// Writes the output of a command, its notes on standard error.
  /// - Returns: the command's exit code.
  func write(_ output: CommandOutput) throws(CommandFailure) -> ExitCode {
    for note in output.notes { Terminal.say("homeline: \(note)") }
    do throws(SystemError) {
      try Terminal.answer(bytes: output.bytes)
    } catch {
      // Some service managers ignore SIGPIPE for their programs; that a reader has gone is no news there either.
      if error.code == EPIPE { return .inputOutput }
      throw CommandFailure(.inputOutput, "\(error)")
    }
    return output.code
  }
}

/// The output of a command.
struct CommandOutput {
  /// For standard output.
  let bytes: [UInt8]
  /// Lines for standard error.
  let notes: [String]
  let code: ExitCode

  /// - Parameter bytes: written as they are.
  init(bytes: [UInt8], notes: [String] = [], code: ExitCode = .done) {
    self.bytes = bytes
    self.notes = notes
    self.code = code
  }

  /// - Parameter text: shown without control characters, whatever it quotes.
  init(_ text: String, notes: [String] = [], code: ExitCode = .done) {
    self.init(bytes: Array(VisibleText.of(text).utf8), notes: notes, code: code)
  }
}
