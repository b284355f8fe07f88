import ControlProtocol
import Dispatch
import JSON
import Platform
import Settings
import TestSupport
import Testing
import Time
import homeline_manual

@testable import Commands
@testable import Service

// This command, which greets an account, follows "Add a command in six steps" in CONTRIBUTING.md. No other code knows of it.

/// Step 1: the control request, with its route and its JSON.
private struct WaveRequest: ControlRequest {
  static let route = ControlRoute.post("/v1/wave")
  static var response: ControlResponseForm { .events([WavedEvent.self]) }

  var account: String?
  var times: Int

  init(account: String?, times: Int) {
    self.account = account
    self.times = times
  }

  init(_ received: ReceivedRequest) throws(ControlError) {
    var request = WaveRequest(account: nil, times: 1)
    try received.members { json, name in
      switch name {
      case "account": request.account = try json.stringOrNull()
      case "times": request.times = try json.integer(in: 0...Int(Int32.max))
      default: return false
      }
      return true
    }
    self = request
  }

  func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("times", times)
  }
}

/// Step 1, continued: the event in the response.
private struct WavedEvent: ControlEvent {
  static let name = "waved"
  var account: String
  var times: Int

  init(account: String, times: Int) {
    self.account = account
    self.times = times
  }

  init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(account: try members.text("account"), times: try members.number("times"))
  }

  func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("times", times)
  }
}

/// Step 2: the work of the state's owner. Step 3 is the list `ControlServer.requests`; in this file, the test adds the request.
extension WaveRequest: HandledRequest {
  func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let account = try context.account(account)
    responder.openStream()
    responder.send(NoticeEvent("waving"))
    responder.send(WavedEvent(account: account.name.text, times: times))
    responder.end(EndEvent(exit: .done))
  }
}

/// Step 4: the command. Step 5 is the list `CommandRegistry.standard`; in this file, the test adds the command.
private struct WaveCommand: OwnerCommand {
  static let name = "wave"
  static let documentation = CommandDocumentation(
    .accounts, "greet an account",
    description: ["Waves at the `ACCOUNT`, one time or more. Nobody else sees it."],
    examples: [CommandExample("homeline wave bird --times 3", "Wave three times.")],
    exitCodes: [(.temporary, "the arm is tired")])

  private static let accountOperand = Operand(.account, .optional)
  private static let timesOption = Option<Int>("--times", .number("N", in: 1...9), default: 1, "how many times")

  static var operands: [OperandDescription] { [accountOperand.description] }
  static var options: [any DeclaredOption] { [timesOption] }
  static let json: JSONOutput? = JSONOutput(schema: "wave")

  var account: AccountName?
  var times: Int

  init(_ arguments: Arguments) throws(UsageError) {
    account = try arguments.value(Self.accountOperand)
    times = try arguments.value(Self.timesOption) ?? 1
  }

  var request: WaveRequest { WaveRequest(account: account?.text, times: times) }

  func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
    EventPrinter { event in
      if let waved = event as? WavedEvent {
        waves.withLock { $0.append("\(waved.account): waved \(waved.times) times") }
      }
    }
  }
}

/// Replaces standard output, which a real command would write to.
private let waves = Locked<[String]>([])

@Suite("A command declared only in a test") struct AddedCommandTests {
  private let registry = CommandRegistry(CommandRegistry.standard.commands + [WaveCommand.self])

  private func parse(_ arguments: String...) throws -> WaveCommand {
    let invocation = try CommandParser(registry).parse(arguments, now: Timestamp(seconds: 0))
    return try #require(invocation.command as? WaveCommand)
  }

  @Test("a newly declared command is parsed, and mistakes in its use are explained")
  func parsed() throws {
    #expect(try parse("wave", "bird", "--times=3").times == 3)
    #expect(try parse("wave").account == nil)
    let json = try CommandParser(registry).parse(["wave", "--json"], now: Timestamp(seconds: 0))
    #expect(json.isJSON)
    let error = #expect(throws: UsageError.self) { try parse("wave", "--times", "10") }
    #expect(
      error?.description.hasSuffix(
        #"--times must be a whole number from 1 to 9, not "10""# + "\nSee: homeline help wave")
        == true)
    let misspelt = #expect(throws: UsageError.self) { try parse("wawe") }
    #expect(misspelt?.message == #"unknown command "wawe"; did you mean wave?"#)
  }

  @Test("the name, options and accounts of a newly declared command are completed")
  func completed() {
    let completion = Completion(registry) { $0 == .account ? ["bird", "cat"] : [] }
    #expect(completion.offer(for: ["wav"]) == .candidates([.init("wave", "greet an account")]))
    #expect(completion.offer(for: ["wave", "--ti"]) == .candidates([.init("--times", "how many times")]))
    #expect(completion.offer(for: ["wave", "--js"]) == .candidates([.init("--json", "print the result as JSON")]))
    #expect(completion.offer(for: ["wave", "c"]) == .candidates([.init("cat")]))
  }

  @Test("a newly declared command has help, a manual page and a reference page")
  func documented() async throws {
    let help = HelpText(registry)
    #expect(help.overview.contains(/\n  wave +greet an account\n/))
    #expect(help.text(of: "wave").contains("\n  --times N  how many times (default 1)\n"))
    let files = GeneratedFiles(registry)
    let page = try #require(files.shared["man/man1/homeline-wave.1"])
    #expect(page.contains(".It Fl -times Ar n\n") && page.contains(".It Fl -json\n"))
    #expect(files.shared["man/man1/homeline.1"]?.contains(".It Xr homeline-wave 1\n") == true)
    #expect(files.reference.contains("\n- [wave](#homeline-wave): greet an account\n"))
    #expect(files.reference.contains("\n### homeline wave\n"))
    #expect(files.reference.contains("(../schema/wave.schema.json)"))
    #expect(files.reference.contains("\n  --times N  how many times (default 1)\n"))
  }

  @Test("a newly declared command is sent over the control socket, and the state owner carries it out")
  func answered() async throws {
    let fixture = try ControlFixture(requests: ControlServer.requests + [WaveRequest.self])
    let command = try parse("wave", "one", "--times", "3")
    let code = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "added command").async {
        continuation.resume(
          with: Result {
            try OwnerClient(
              ControlProtocol.ControlClient(path: fixture.path), environment: CommandEnvironment(variables: [:]),
              isJSON: false
            )
            .run(
              command)
          })
      }
    }
    #expect(code == .done)
    #expect(waves.withLock { $0 } == ["one: waved 3 times"])
  }

  @Test("a process that does not know a newly declared command's request refuses it")
  func unknown() async throws {
    let fixture = try ControlFixture()
    let command = try parse("wave", "one")
    let code = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "added command").async {
        continuation.resume(
          with: Result {
            try OwnerClient(
              ControlProtocol.ControlClient(path: fixture.path), environment: CommandEnvironment(variables: [:]),
              isJSON: false
            )
            .run(
              command)
          })
      }
    }
    #expect(code == .usage)
  }
}
