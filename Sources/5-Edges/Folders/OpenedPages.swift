package import Platform
internal import Timeline

/// The pages that `homeline open` renders itself, because no page is published, or the published page is out of date.
///
/// Each is written only by `homeline open`, which does not own the state. The state owner removes them when it removes posts, because
/// they may contain these posts.
package struct OpenedPages: Sendable, Hashable {
  package let folder: String

  init(in cacheFolder: String) { folder = "\(cacheFolder)/_open" }

  /// The page with the posts of several accounts. Names that begin with `_` cannot belong to accounts.
  package var all: String { "\(folder)/_all\(Self.suffix)" }
  /// - Parameter account: a name that ``AccountName`` accepts; names of views are also accepted.
  package func page(ofAccount account: String) -> String { "\(folder)/\(account)\(Self.suffix)" }
  /// - Parameter timeline: the published files of one of the account's timelines.
  package func page(ofAccount account: String, _ timeline: TimelineFiles) -> String {
    // No account has a name with this character.
    page(ofAccount: timeline.stem == TimelineName.homeStem ? account : "\(account)~\(timeline.stem)")
  }
  package func page(ofView view: String) -> String { "\(folder)/_view-\(view)\(Self.suffix)" }

  private static let suffix = ".html"

  /// Removes all pages, including incomplete ones, and no other file.
  package func remove() throws(SystemError) {
    guard File.exists(folder) else { return }
    for name in try Folder.names(in: folder) where name.hasSuffix(Self.suffix) || name.contains("\(Self.suffix).new-") {
      try File.remove("\(folder)/\(name)")
    }
  }
}
