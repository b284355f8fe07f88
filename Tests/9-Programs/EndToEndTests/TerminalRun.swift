import Platform
import TestSupport
import Testing

/// The outcome of a program that ran on a pseudo-terminal (`Tests/Peers/on_terminal.py`).
struct TerminalRun {
  /// What to do when the terminal shows a string.
  enum Step {
    case type(String, after: String)
    case signal(String, after: String)

    var json: String {
      switch self {
      case .type(let keys, let text): #"{"after": "\#(text)", "type": "\#(keys)"}"#
      case .signal(let name, let text): #"{"after": "\#(text)", "signal": "\#(name)"}"#
      }
    }
  }

  /// The exit status, or 128 plus the number of a signal.
  let status: Int
  /// The number of the signal that ended the program; 0 if it exited.
  let signal: Int
  /// All bytes that the terminal received, without the carriage returns that the terminal adds before line feeds.
  let output: String
  /// The times in seconds when output was read.
  let times: [Double]
  /// The command lines of the processes that were left in the terminal's session.
  let left: [String]

  /// Runs `homeline` or another program on a terminal.
  /// - Parameter output: the file that gets standard output; nil for the terminal.
  init(
    program: String = ProgramRun.product("homeline"), _ arguments: [String], environment: [String: String],
    columns: Int = 80, steps: [Step] = [], output: String? = nil
  ) async throws {
    let python = try #require(Peers.python)
    let file = output.map { #", "output": "\#($0)""# } ?? ""
    let options = #"{"columns": \#(columns), "steps": [\#(steps.map(\.json).joined(separator: ", "))]\#(file)}"#
    let outcome = try await ProgramRun.run(
      python, [Peers.path(of: "on_terminal.py"), options, program] + arguments,
      environment: environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 })
    try #require(outcome.code == 0, "\(outcome.error)")
    let report = try JSONValue(Array(outcome.output.utf8))
    try #require(report["missing"] == .array([]), "\(outcome.output)")
    status = try #require(report["status"].integer)
    signal = try #require(report["signal"].integer)
    self.output = try #require(report["output"].text).replacing("\r\n", with: "\n")
    times = report["reads"].items.compactMap {
      if case .number(let text)? = $0.items.first { Double(text) } else { nil }
    }
    left = report["left"].items.compactMap(\.text)
  }
}
