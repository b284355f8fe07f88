package import Timeline

/// Where the files of one account lie.
package struct AccountFiles: Sendable, Hashable {
  package let account: String
  /// What the program publishes; anyone may delete it.
  package let cacheFolder: String
  package let dataFolder: String
  package let stateFolder: String

  init(account: String, cache: String, data: String, state: String) {
    self.account = account
    cacheFolder = "\(cache)/\(account)"
    dataFolder = "\(data)/\(account)"
    stateFolder = "\(state)/\(account)"
  }

  static let timelineName = "home_timeline.json"

  /// What other programs read.
  package var timeline: String { "\(cacheFolder)/\(Self.timelineName)" }
  package func published(as format: PublishedFormat) -> String { "\(cacheFolder)/\(format.fileName)" }
  package var database: String { "\(dataFolder)/timeline.db" }
  /// See ``PublishedMark``.
  package var publishedMark: String { "\(dataFolder)/published" }
  /// See ``StartMarker``.
  package var startMarker: String { "\(dataFolder)/request-start" }
  /// Where posts lie that are to be taken in, before the owner takes them.
  package func staged(_ name: String) -> String { "\(dataFolder)/\(name)" }
  package static let stagedPrefix = "import-"
  package var token: String { "\(stateFolder)/token.json" }
}
