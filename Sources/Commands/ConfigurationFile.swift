package import Platform
package import Settings

/// The configuration's file: where it is, and what reading it means for a command.
package struct ConfigurationFile: Sendable, Hashable {
  package let path: String

  /// The file of `--config`, else the one in the user's configuration folder.
  package init(_ given: String?, in folders: BaseDirectories) {
    path = given ?? "\(folders.config)/homeline/config.json"
  }

  /// Reads it.
  ///
  /// - Throws: 78, when there is none, it cannot be read or something is wrong with it; then the message has all problems,
  ///   one a line.
  package func load() throws(CommandFailure) -> Configuration {
    switch try result() {
    case .success(let configuration): return configuration
    case .failure(let error):
      throw CommandFailure(
        .configuration, "the configuration has mistakes\n" + lines(of: error).joined(separator: "\n"))
    }
  }

  /// The same, with the problems apart from other failures.
  package func result() throws(CommandFailure) -> Result<Configuration, SettingsError> {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try File.read(path, limit: Configuration.byteLimit)
    } catch {
      guard error.isNoEntry else { throw CommandFailure(.configuration, "\(path): \(error.reason)") }
      throw CommandFailure(
        .configuration, "\(path): there is no configuration. To begin: install -D -m 600 config.example.json '\(path)'")
    }
    return Result { () throws(SettingsError) in try Configuration(reading: bytes) }
  }

  /// Each problem as `FILE:LINE:COLUMN: PATH: what`, which editors understand.
  package func lines(of error: SettingsError) -> [String] { error.problems.map { "\(path):\($0)" } }
}
