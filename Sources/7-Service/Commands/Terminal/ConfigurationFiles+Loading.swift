package import Folders
internal import Platform
package import Settings

extension ConfigurationFiles {
  /// Reads the configuration.
  ///
  /// - Throws: 78 if it is missing, cannot be read or has errors. The message lists all errors, one per line.
  package func load() throws(CommandError) -> Configuration {
    switch try result() {
    case .success(let configuration): return configuration
    case .failure(let error): throw CommandError(.configuration, "the configuration has errors\n\(error)")
    }
  }

  /// Reads the configuration and returns its errors instead of throwing them.
  package func result() throws(CommandError) -> Result<Configuration, SettingsError> {
    let texts = try readTexts()
    return Result { () throws(SettingsError) in try Configuration(reading: texts) }
  }

  /// Reads the text of all files.
  /// - Throws: 78 if there is no configuration, or a file cannot be read.
  package func readTexts() throws(CommandError) -> ConfigurationTexts {
    do throws(SystemError) { return try texts() } catch {
      if error.isNoEntry, !exist {
        throw CommandError(
          .configuration,
          isUsual
            ? "\(AccountChoiceError.noneEnabled([]))"
            : "\(path): the configuration does not exist. To add an account there: homeline login --config \(path)")
      }
      throw CommandError(.configuration, error.message)
    }
  }
}
