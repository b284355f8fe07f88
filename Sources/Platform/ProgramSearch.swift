/// Finds programs as a shell does (`execvp(3)`), by a `PATH` that need not be this process's own.
package enum ProgramSearch {
  /// - Returns: where the program lies that is called; nil when there is none that may be run.
  package static func find(_ name: String, in path: String) -> String? {
    if name.contains("/") { return File.isExecutable(name) ? name : nil }
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { File.isExecutable($0) }
  }
}
