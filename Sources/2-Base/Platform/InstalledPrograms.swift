/// Where an installation's programs are: `homeline` in `bin`, and the programs that only it runs in the `libexec/homeline` beside it. A
/// build puts all programs into one folder.
package enum InstalledPrograms {
  private static let libexec = ["libexec", "homeline"]

  /// Returns the possible paths of a program that only `homeline` runs, in the order to try them.
  /// - Parameter program: the real path of `homeline`.
  package static func helpers(_ name: String, besides program: String) -> [String] {
    let folders = program.split(separator: "/").dropLast().map(String.init)
    return [folders.dropLast() + libexec, folders].map { path($0 + [name]) }
  }

  /// Returns the path of `homeline`.
  /// - Parameter program: the real path of any program of the installation.
  package static func command(besides program: String) -> String {
    let folders = program.split(separator: "/").dropLast().map(String.init)
    guard folders.suffix(libexec.count) == libexec[...] else { return path(folders + ["homeline"]) }
    return path(folders.dropLast(libexec.count) + ["bin", "homeline"])
  }

  private static func path(_ parts: [String]) -> String { parts.map { "/\($0)" }.joined() }
}
