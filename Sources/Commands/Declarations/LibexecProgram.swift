internal import Platform

/// A program that `homeline` runs and nobody else needs by name, so that it lies outside `PATH`.
package enum LibexecProgram: String, Sendable {
  case daemon = "homelined"
  case sandbox = "homeline-sandbox"

  /// Where to look, in this order: as installed (`bin` and `libexec/homeline` beside each other), then in the same folder, as
  /// a build leaves it.
  /// - Parameter program: the real path of `homeline`.
  package func candidates(besides program: String) -> [String] {
    let folders = program.split(separator: "/").dropLast().map { "/\($0)" }
    return [folders.dropLast() + ["/libexec/homeline"], folders].map { $0.joined() + "/\(rawValue)" }
  }

  /// The first candidate that can be run.
  package func find(besides program: String, isExecutable: (String) -> Bool) throws(CommandFailure) -> String {
    let candidates = candidates(besides: program)
    if let path = candidates.first(where: isExecutable) { return path }
    throw CommandFailure(
      .software,
      "\(rawValue) is not installed: there is neither \(candidates.joined(separator: " nor ")). Install homeline again")
  }
}
