internal import Commands
internal import ControlProtocol
internal import Folders
internal import LocalCommands
internal import Platform
internal import Settings
internal import Status
internal import Storage
internal import TerminalText
internal import Time
internal import Timeline

extension Command.Status: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let environment = context.environment
    let reader = StatusReader(
      arguments: self, showsDetails: context.invocation.isVerbose,
      form: TerminalForm(columns: environment.outputColumns, isColoured: environment.showsColour),
      variables: environment.variables, file: try context.configurationFiles(), layout: try context.layout(),
      storage: try context.storage(),
      now: WallClock.system.now)
    return try context.write(try reader.output())
  }
}

/// Reads the state of each account from its files, and from the state owner if there is one. Works with an invalid configuration,
/// or without one.
struct StatusReader {
  let arguments: Command.Status
  /// Whether the text contains all details of each account instead of one line.
  let showsDetails: Bool
  /// The terminal's features.
  let form: TerminalForm
  /// The environment variables.
  let variables: [String: String]
  let file: ConfigurationFiles
  let layout: FileLayout
  let storage: any StorageProvider
  let now: Timestamp

  /// The time limit for the reply of the state owner; after that, only the files are shown.
  private static let ownerTimeout = Duration.seconds(2)

  func output() throws(CommandError) -> CommandOutput {
    let (configuration, problems) = configuration()
    let found = try accounts(configuration)
    let showsAll = arguments.format != .text || arguments.showsAll || arguments.account != nil
    let accounts = showsAll ? found : found.filter { $0.settings?.isEnabled ?? true }
    let hidden = found.count - accounts.count
    let owner = OwnerLock.currentOwner(layout)
    let (status, silence) = ask(owner)
    let report = StatusReport(
      owner: owner, ownerStatus: status, configurationPath: file.shownPath, configurationProblems: problems,
      media: configuration?.media, views: configuration?.views ?? [], accounts: accounts,
      only: try timeline(configuration), now: now)
    // Before the first account, only the next step is worth reporting.
    if found.isEmpty, owner == nil, !file.exist, arguments.format == .text, !showsDetails {
      return CommandOutput("", notes: ["\(AccountChoiceError.noneEnabled([]))"])
    }
    var notes = problems
    // If there is no file, the only problem is that there is no account yet.
    if !problems.isEmpty, file.exist { notes.append("the configuration is invalid; showing the state of the files") }
    if let owner {
      if showsDetails { notes.append("\(owner) is using the accounts") }
    } else if report.needsService, let start = missingService(isOverdue: report.isOverdue) {
      notes.append("no service is running. \(start.advice)")
    } else if !found.isEmpty {
      notes.append("no process is using the accounts; showing the state of the files")
    }
    if let note = owner?.upgradeNote { notes.append(note) }
    if let silence { notes.append("\(silence); showing the state of the files") }
    if let problem = status?.owner.configurationProblem {
      notes.append(
        "the service keeps its previous configuration, because the new one is invalid: \(problem)")
    }
    if hidden > 0 {
      notes.append(
        "\(hidden == 1 ? "1 account is" : "\(hidden) accounts are") not enabled and therefore hidden; to show all: homeline status --all"
      )
    }
    if found.isEmpty, problems.isEmpty { notes.append("\(AccountChoiceError.noneEnabled([]))") }
    switch arguments.format {
    case .json: return CommandOutput(.data(OutputData(json: report.json)), notes: notes)
    case .prometheus: return CommandOutput(report.prometheus, notes: notes)
    case .text where arguments.onlyUnread: return CommandOutput(report.unread, notes: notes)
    case .text where showsDetails: return CommandOutput(report.details, notes: notes)
    case .text:
      return CommandOutput(.rendered(StatusSummary(report).text(for: form)), notes: notes)
    }
  }

  /// Returns how to start the service; nil if cron refreshes the accounts, or if that cannot be determined.
  private func missingService(isOverdue: Bool) -> ServiceStart? {
    guard let program = try? ProcessEnvironment.programPath(), isOverdue || !ServiceStart.isCronUsed(variables) else {
      return nil
    }
    return ServiceStart.find(variables, program: program)
  }

  /// Returns the status of the state owner, or the reason the status is not available.
  private func ask(_ owner: Owner?) -> (ControlStatus?, silence: String?) {
    guard let path = owner?.controlSocket else { return (nil, nil) }
    do throws(ControlClientError) {
      return (try ControlClient(path: path).status(timeout: Self.ownerTimeout), nil)
    } catch {
      if case .timedOut = error, let owner { return (nil, owner.silence) }
      return (nil, "\(error)")
    }
  }

  private func configuration() -> (Configuration?, problems: [String]) {
    do throws(CommandError) {
      switch try file.result() {
      case .success(let configuration): return (configuration, [])
      case .failure(let error): return (nil, error.problems.map(\.description))
      }
    } catch { return (nil, [error.message]) }
  }

  /// Returns the accounts to report, or the one that the user named.
  private func accounts(_ configuration: Configuration?) throws(CommandError) -> [AccountStatus] {
    let accounts: ReportedAccounts
    do throws(StorageError) {
      // If there is no configuration file, no account is configured.
      accounts = try ReportedAccounts(
        configuration, isComplete: configuration != nil || !file.exist, layout: layout, storage: storage)
    } catch { throw CommandError(.inputOutput, "\(error)") }
    let named = arguments.account?.account.text
    if let named, !accounts.names.contains(named) {
      throw CommandError(
        .usage, AccountChoiceError.unknown(named, accounts.names.compactMap { AccountName($0) }).description)
    }
    return accounts.read(at: now, only: named)
  }

  /// Returns the timeline that the user named, as in the configuration; nil if none is named.
  private func timeline(_ configuration: Configuration?) throws(CommandError) -> TimelineName? {
    guard let operand = arguments.account, let timeline = operand.timeline else { return nil }
    guard let account = configuration?[operand.account] else { return timeline }
    do throws(UnknownTimelineError) { return try account.timeline(named: timeline.description) } catch {
      throw CommandError(AccountChoiceError.unknownTimeline(error))
    }
  }
}
