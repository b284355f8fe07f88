import Commands
import Dispatch
import Folders
import Platform
import StorageSQLite
import TerminalText
import TestSupport
import Testing
import Time

@testable import Diagnosis

@Suite struct DiagnosticRunTests {
  private let folder = TemporaryFolder()

  private func context() throws -> DiagnosticContext {
    let environment = CommandEnvironment(variables: ["HOME": folder.path])
    let folders = try environment.folders()
    return DiagnosticContext(
      try environment.configurationFiles(Invocation(Command.Version())), environment: environment, folders: folders,
      storage: FileStorage(FileLayout(folders)), now: WallClock.system.now)
  }

  /// A check with a given result.
  private struct Fixed: DiagnosticCheck {
    let name: String
    let result: [Finding]
    func findings(in context: DiagnosticContext) -> [Finding] { result }
  }

  /// A check that finishes only when it is released.
  private struct Stuck: DiagnosticCheck {
    let name = "stuck"
    let timeLimit = Duration.milliseconds(50)
    let isReleased: DispatchSemaphore
    func findings(in context: DiagnosticContext) -> [Finding] {
      isReleased.wait()
      return [.ok("late")]
    }
  }

  private func text(of result: DiagnosticResult, _ form: TerminalForm = TerminalForm()) -> String {
    String(decoding: result.text(for: form).bytes, as: UTF8.self)
  }

  @Test("a check that does not finish in time causes a warning, and the other results keep their order")
  func timeLimit() throws {
    let isReleased = DispatchSemaphore(value: 0)
    defer { isReleased.signal() }
    let run = DiagnosticRun([
      Fixed(name: "first", result: [.fault("broken", next: "Repair it"), .ok("fine")]), Stuck(isReleased: isReleased),
      Fixed(name: "last", result: [.ok("fine")]),
    ])
    let result = run.result(in: try context())
    #expect(
      text(of: result) == """
        fault    first  broken. Repair it
        ok       first  fine
        warning  stuck  no result within 0 seconds
        ok       last   fine

        """)
    #expect(result.summary == "1 fault and 1 warning")
    #expect(result.exitCode == .faultsFound)
  }

  @Test("the keyring is accessed only if tokens are encrypted, and a missing session bus is reported")
  func keyring() throws {
    #expect(KeyringCheck().findings(in: try context()) == [.ok("not used")])
    let configuration = try context().configurationPath
    try Folder.create(try #require(Folder.parent(of: configuration)))
    try AtomicFile.write(Array(#"{"accounts": {}, "protect": "keyring"}"#.utf8), to: configuration, .replaced)
    let finding = try #require(KeyringCheck().findings(in: try context()).first)
    #expect(finding.level == .warning)
  }

  @Test("levels are coloured on a terminal, and the text of a finding cannot control the terminal")
  func colours() throws {
    let result = DiagnosticResult(findings: [
      DiagnosticResult.Entry(check: "a", finding: .fault("broken \(foreign: "\u{1b}[2J")")),
      DiagnosticResult.Entry(check: "b", finding: .ok("fine")),
    ])
    #expect(
      text(of: result, TerminalForm(isColoured: true))
        == "\u{1b}[31mfault  \u{1b}[0m  a  broken \(VisibleText.of("\u{1b}[2J"))\n\u{1b}[32mok     \u{1b}[0m  b  fine\n"
    )
    #expect(VisibleText.of("\u{1b}") != "\u{1b}")
  }

  @Test("warnings do not change the exit code of doctor")
  func warnings() throws {
    let result = DiagnosticRun([Fixed(name: "a", result: [.warning("low")])]).result(in: try context())
    #expect(result.exitCode == .done)
    #expect(result.summary == "0 faults and 1 warning")
  }

  @Test("every check has a unique name and a time limit within the maximum")
  func standard() {
    #expect(StandardChecks.all.allSatisfy { $0.timeLimit <= DiagnosticRun.longestLimit })
    #expect(Set(StandardChecks.all.map(\.name)).count == StandardChecks.all.count)
  }
}
