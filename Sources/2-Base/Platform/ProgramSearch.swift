/// Finds programs as a shell does (`execvp(3)`), in a `PATH` that need not be this process's own.
package enum ProgramSearch {
  /// Returns the path of a program; nil if there is no executable with that name.
  package static func find(_ name: String, in path: String) -> String? {
    if name.contains("/") { return File.isExecutable(name) ? name : nil }
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { File.isExecutable($0) }
  }
}
