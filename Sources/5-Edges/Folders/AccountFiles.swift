package import Platform
package import Timeline

/// The paths of one account's files.
package struct AccountFiles: Sendable, Hashable {
  package let account: String
  /// The folder of published files. The user may delete it.
  package let cacheFolder: String
  package let dataFolder: String
  package let stateFolder: String
  /// The folder of all drafts. The files of a post written on the web page stay there until the post is published or discarded.
  package let draftFolder: String
  /// The pages that `homeline open` renders itself, which may contain this account's posts.
  package let openedPages: OpenedPages
  /// The published files of the home timeline.
  package let home: TimelineFiles

  init(account: String, cache: String, data: String, state: String) {
    self.account = account
    openedPages = OpenedPages(in: cache)
    draftFolder = Self.draftFolder(in: state)
    cacheFolder = "\(cache)/\(account)"
    dataFolder = "\(data)/\(account)"
    stateFolder = "\(state)/\(account)"
    home = TimelineFiles(in: cacheFolder)
  }

  /// The folder of all drafts in the folder of all states.
  static func draftFolder(in stateFolder: String) -> String { "\(stateFolder)/_drafts" }

  /// The home timeline's published file that other programs read.
  package var timeline: String { home.timeline }
  package func published(as format: PublishedFormat) -> String { home.published(as: format) }
  package var database: String { "\(dataFolder)/timeline.db" }
  /// The path of the ``CleanShutdownMarker``.
  package var cleanShutdownMarker: String { "\(dataFolder)/published" }
  /// The path of the ``StartMarker``.
  package var startMarker: String { "\(dataFolder)/request-start" }
  /// The path of the ``ClockOffsetFile``.
  package var clockOffset: String { "\(dataFolder)/clock-offset" }
  /// The path of the ``LostLoginMarker``.
  package var lostLoginMarker: String { "\(dataFolder)/login-announced" }
  /// Returns the path of a staged file with posts for the state owner to import.
  package func staged(_ name: String) -> String { "\(dataFolder)/\(name)" }
  package static let stagedPrefix = "import-"
  /// The folder of posts that are waiting to be sent.
  package var outboxFolder: String { "\(dataFolder)/outbox" }
  package var token: String { "\(stateFolder)/token.json" }

  /// Removes incomplete published files that killed processes left behind, and the files of timelines that are no longer published. Only
  /// the state owner may call this, before it publishes a file.
  /// - Parameter timelines: the files of the timelines that are still published.
  package func removePublishedLeftovers(keeping timelines: [TimelineFiles]) throws(SystemError) {
    if File.exists(cacheFolder) {
      let kept = Set(timelines.flatMap(\.all))
      for name in try Folder.names(in: cacheFolder) {
        let path = "\(cacheFolder)/\(name)"
        let file = AtomicFile.target(of: path)
        let isLeftover = file != nil && kept.contains(file ?? path)
        if isLeftover || !kept.contains(path) && TimelineFiles.isOfOtherTimeline(name) { try File.remove(path) }
      }
    }
    try AtomicFile.removeLeftovers(of: cleanShutdownMarker)
  }
}
