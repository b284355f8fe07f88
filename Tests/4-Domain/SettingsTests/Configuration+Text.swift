@testable import Settings

extension Configuration {
  /// Reads the text of `config.json` alone.
  ///
  /// - Throws: all problems in one error. For invalid JSON, that is the only problem reported.
  init(
    reading bytes: [UInt8], providers: [String: ProviderDefaults] = ProviderDefaults.known
  ) throws(SettingsError) {
    try self.init(reading: ConfigurationTexts(main: ConfigurationText(bytes)), providers: providers)
  }
}
