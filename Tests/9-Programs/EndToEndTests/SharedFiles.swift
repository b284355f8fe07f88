import TestSupport
import Testing

/// The manual pages and completion scripts, which `make release` generates for an installation.
enum SharedFiles {
  /// Writes them into a folder.
  /// - Returns: the folder that corresponds to `share` in an installation.
  static func write(in folder: String) async throws -> String {
    let share = "\(folder)/share"
    let outcome = try await ProgramRun.run(
      ProgramRun.product("homeline-manual"), ["share", share], environment: ProgramRun.environment(home: folder))
    try #require(outcome.code == 0, "\(outcome.error)")
    return share
  }
}
