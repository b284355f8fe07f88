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

  /// What other programs read.
  package var timeline: String { "\(cacheFolder)/home_timeline.json" }
  package var database: String { "\(dataFolder)/timeline.db" }
  package var token: String { "\(stateFolder)/token.json" }
}
