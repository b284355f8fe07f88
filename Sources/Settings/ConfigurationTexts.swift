/// One file of a configuration.
package struct ConfigurationText: Sendable, Hashable {
  /// The path, for messages; `nil` for a text that is not from a file.
  package let path: String?
  package var bytes: [UInt8]

  package init(path: String? = nil, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// All files of a configuration: the one that the user writes, and one for each account that a command added.
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

/// A configuration's files as one range of offsets: an offset identifies a file and a position in it.
struct SourceMap {
  private struct Source {
    let text: ConfigurationText
    /// The offset of the file's first byte. The ranges of two files do not touch, so that the end of one is not the beginning of the next.
    let start: Int
  }

  private var sources: [Source] = []

  /// Adds a file after the others.
  /// - Returns: the offset of its first byte.
  mutating func add(_ text: ConfigurationText) -> Int {
    let start = sources.last.map { $0.start + $0.text.bytes.count + 1 } ?? 0
    sources.append(Source(text: text, start: start))
    return start
  }

  /// Returns the file that contains an offset, and the offset of its first byte; `nil` if there are no files.
  func source(at offset: Int) -> (text: ConfigurationText, start: Int)? {
    sources.last { $0.start <= offset }.map { ($0.text, $0.start) }
  }
}
