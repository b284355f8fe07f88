import Glibc
import TestSupport
import Testing

/// The programs in `Tests/Peers`, built on third-party libraries.
enum Peers {
  /// The Python interpreter for these programs; `nil` if it has not been set up.
  static let python = getenv("HOMELINE_PEERS_PYTHON").map { String(cString: $0) }

  /// Returns the path of a program.
  static func path(of program: String) -> String {
    Repository.path("Tests/Peers/\(program)")
  }

  /// Starts a program, which runs until its standard input is closed.
  static func start(
    _ program: String, _ arguments: [String] = [], input: ProgramRun.Input = .open, variables: [String: String] = [:]
  ) throws -> ProgramRun {
    let python = try #require(python)
    // Otherwise, Python would store compiled files among the sources.
    let environment = ProgramRun.environment(
      home: "/nonexistent", variables.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 })
    return try ProgramRun(python, [path(of: program)] + arguments, environment: environment, input: input)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test if the peers' Python interpreter is missing.
  static var needsPeers: Self {
    .enabled(
      if: Peers.python != nil, "HOMELINE_PEERS_PYTHON is not set; run: export HOMELINE_PEERS_PYTHON=$(scripts/peers)")
  }

  /// Skips the test if a program is not installed.
  static func needs(_ program: String) -> Self {
    let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
    return .enabled(if: folders.contains { access("\($0)/\(program)", X_OK) == 0 }, "\(program) is not installed")
  }
}
