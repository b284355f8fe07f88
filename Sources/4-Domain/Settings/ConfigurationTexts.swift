/// All files of a configuration: the file that the user writes, and a file for each account that a command added.
package struct ConfigurationTexts: Sendable, Hashable {
  /// `config.json`; `nil` if it does not exist.
  package var main: ConfigurationText?
  /// The files in `config.d` by the names of their accounts, sorted; `nil` if the folder does not exist.
  package var accounts: [Account]?

  /// A file whose content is the object of one account.
  package struct Account: Sendable, Hashable {
    /// The name of the file without `.json`, valid or not.
    package let name: String
    package var text: ConfigurationText

    package init(name: String, _ text: ConfigurationText) {
      self.name = name
      self.text = text
    }
  }

  package init(main: ConfigurationText?, accounts: [Account]? = nil) {
    self.main = main
    self.accounts = accounts
  }
}
