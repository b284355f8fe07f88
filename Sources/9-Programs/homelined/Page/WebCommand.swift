internal import Commands
internal import ControlProtocol
internal import Folders
internal import JSON
internal import LocalCommands
internal import Platform
internal import TerminalText

extension Command.Web: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let event = try ask(in: context)
    if context.invocation.isJSON { return try context.write(CommandOutput(json(of: event))) }
    switch action {
    case .open: return try context.write(try opened(event, in: context.environment))
    case .print: return try context.write(printed(event))
    case .close:
      let note = event.page.map { "closed the page at \($0)" } ?? "the page was closed already"
      return try context.write(CommandOutput("", notes: [note]))
    case .forget:
      let count = event.forgotten == 1 ? "1 browser" : "\(event.forgotten) browsers"
      return try context.write(CommandOutput("", notes: ["\(count) must enter again: homeline web"]))
    }
  }

  private var request: WebPageRequest {
    switch action {
    case .open: WebPageRequest(.open)
    case .print: WebPageRequest(.print)
    case .close: WebPageRequest(.close)
    case .forget: WebPageRequest(.forget)
    }
  }

  /// Sends the request to the service.
  /// - Throws: 75 if no service is running.
  private func ask(in context: CommandContext) throws(CommandError) -> WebPageEvent {
    guard let owner = OwnerSearch.owner(of: try context.layout()), owner.isService else {
      let program: String
      do throws(SystemError) { program = try ProcessEnvironment.programPath() } catch {
        throw CommandError(.software, "\(error)")
      }
      let start = ServiceStart.find(context.environment.variables, program: program)
      let advice =
        if case .cron = start { "To start one in this terminal: homeline daemon" } else { start.advice }
      throw CommandError(.temporary, "no service is running, which would serve the page. \(advice)")
    }
    guard let path = owner.controlSocket else {
      throw CommandError(.temporary, "\(owner) has no control socket yet; try again")
    }
    var found: WebPageEvent?
    let end: EndEvent
    do throws(ControlClientError) {
      end = try owner.client(at: path).events(of: request) { event in found = event as? WebPageEvent ?? found }
    } catch { throw CommandError(error) }
    guard let found, end.exit == .done else {
      throw CommandError(end.exit == .done ? .software : end.exit, end.message ?? "the service did not answer")
    }
    return found
  }

  private func json(of event: WebPageEvent) -> ProgramOutput {
    JSONDocument.output { json in
      json.member("page", event.page)
      json.member("entries", list: event.entries) { $0.string($1) }
      json.member("forgotten", event.forgotten)
    }
  }

  private func printed(_ event: WebPageEvent) -> CommandOutput {
    CommandOutput(.data(OutputData(value: Array(event.entries.map { "\($0)\n" }.joined().utf8))))
  }

  private func opened(_ event: WebPageEvent, in environment: CommandEnvironment) throws(CommandError) -> CommandOutput {
    guard let entry = event.entries.first, let page = event.page else {
      throw CommandError(.software, "the service has made no ticket")
    }
    guard let browser = Browser(variables: environment.variables) else {
      throw CommandError(
        .unavailable, "no browser was found. To print the address for one: homeline web --print")
    }
    let advice = "To print the address for another one: homeline web --print"
    let started: StartedBrowser
    do throws(SystemError) { started = try StartedBrowser(browser, at: entry) } catch {
      throw CommandError(.unavailable, "could not start a browser: \(error). \(advice)")
    }
    try started.check(advice)
    return CommandOutput("", notes: ["opened \(page) in your browser"])
  }
}
