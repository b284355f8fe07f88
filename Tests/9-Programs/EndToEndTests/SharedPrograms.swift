import Glibc
import Platform
import TestSupport
import Testing

/// The built programs, in a folder where every user of the machine can run them.
///
/// A repository below root's home folder (mode 700) is closed to other users.
enum SharedPrograms {
  private static let names = ["homeline", "homelined", "homeline-sandbox"]

  /// Returns the folder with the programs: the build's own, or links to them in `folder`.
  static func place(in folder: TemporaryFolder) async throws -> String {
    let built = ProgramRun.product("homeline").split(separator: "/").dropLast().map { "/\($0)" }.joined()
    if isOpen(built) { return built }
    chmod(folder.path, 0o755)
    let shared = "\(folder.path)/programs"
    try Folder.create(shared)
    chmod(shared, 0o755)
    let linked = try await ProgramRun.run(
      // A hard link is possible only on the same file system.
      "bash",
      ["-c", "cd \"$0\" && for name; do cp -l \"$name\" . 2>/dev/null || cp \"$name\" . || exit; done", shared]
        + names.map { "\(built)/\($0)" }, environment: ProgramRun.environment(home: "/nonexistent"))
    try #require(linked.code == 0, "\(linked.error)")
    return shared
  }

  /// Whether every user may open files in this folder (path_resolution(7)).
  private static func isOpen(_ folder: String) -> Bool {
    var path = ""
    return folder.split(separator: "/").allSatisfy { name in
      path += "/\(name)"
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IXOTH != 0
    }
  }
}
