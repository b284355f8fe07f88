package import Platform

/// The reason a backup could not be written or restored.
package struct BackupError: UserFacingError, Hashable {
  package let exitCode: ExitCode
  package let message: String

  package init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  package init(_ error: some UserFacingError) { self.init(error.exitCode, "\(error)") }
}
