internal import Platform

/// Runs tar(1), which writes and reads a backup's archive and compresses it with gzip(1).
struct TarProgram {
  let environment: [String: String]

  /// The time limit for tar. A large archive on a slow disk can take hours.
  private static let timeout = Duration.seconds(86_400)

  /// Writes a folder into a compressed tar file. The file must already exist, and keeps its mode.
  func create(_ file: String, of folder: String, in parent: String) throws(BackupError) {
    try run(
      failure: .inputOutput,
      [
        "--create", "--gzip", "--file", file, "--force-local", "--owner=0", "--group=0", "--numeric-owner",
        "--mode=u=rwX,go=", "--directory", parent, folder,
      ])
  }

  /// Unpacks a compressed tar file into an empty private folder. tar itself does not write outside this folder, even if the file contains
  /// absolute paths or paths with `..`.
  func extract(_ file: String, into folder: String) throws(BackupError) {
    try run(
      failure: .badData,
      [
        "--extract", "--gzip", "--file", file, "--force-local", "--no-same-owner", "--no-same-permissions",
        "--directory",
        folder,
      ])
  }

  /// - Parameter failure: the exit code if tar fails. tar and gzip print the reason on standard error.
  private func run(failure: ExitCode, _ arguments: [String]) throws(BackupError) {
    let status: Int32?
    do throws(SystemError) {
      status = try Child.run("tar", arguments, environment: environment, input: [], timeout: Self.timeout)
    } catch { throw BackupError(.software, "could not run tar: \(error). Install the packages tar and gzip") }
    guard status == 0 else {
      let operation = failure == .inputOutput ? "written" : "unpacked"
      throw BackupError(
        failure, "the backup could not be \(operation); tar's message says why (status \(status ?? -1))")
    }
  }
}
