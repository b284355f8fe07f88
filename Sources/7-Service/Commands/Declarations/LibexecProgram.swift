internal import Platform

/// A program that only `homeline` runs, installed outside `PATH`.
package enum LibexecProgram: String, Sendable {
  case daemon = "homelined"
  case sandbox = "homeline-sandbox"

  /// Returns the paths to try, in order: first the installed path (`bin` and `libexec/homeline` are in the same folder), then the folder of
  /// `homeline`, which is where a build puts the program.
  /// - Parameter program: the real path of `homeline`.
  func candidates(besides program: String) -> [String] {
    InstalledPrograms.helpers(rawValue, besides: program)
  }

  /// Returns the first candidate that is executable.
  package func find(besides program: String, isExecutable: (String) -> Bool) throws(CommandError) -> String {
    let candidates = candidates(besides: program)
    if let path = candidates.first(where: isExecutable) { return path }
    throw CommandError(
      .software,
      "\(rawValue) is not installed: neither \(candidates.joined(separator: " nor ")) exists. Install homeline again")
  }
}
