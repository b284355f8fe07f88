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
        .configuration, "\(path): there is no configuration. \(Self.beginning(at: path))")
    }
    return Result { () throws(SettingsError) in try Configuration(reading: bytes) }
  }

  /// How to begin: with the example that was installed with this program, or lies in the folder that it was built in.
  private static func beginning(at path: String) -> String {
    var folder = (try? ProcessEnvironment.programPath()) ?? ""
    for _ in 0..<5 {
      guard let parent = Folder.parent(of: folder) else { break }
      let examples = ["share/doc/homeline/config.example.json", "config.example.json"].map { "\(parent)/\($0)" }
      if let example = examples.first(where: { File.exists($0) }) {
        return "To begin: install -D -m 600 '\(example)' '\(path)'"
      }
      folder = parent
    }
    return "To begin, write one there; what it holds: man homeline"
  }

  /// Each problem as `FILE:LINE:COLUMN: PATH: what`, which editors understand.
  package func lines(of error: SettingsError) -> [String] { error.problems.map { "\(path):\($0)" } }
}
