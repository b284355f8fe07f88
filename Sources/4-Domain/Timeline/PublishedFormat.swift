/// The formats that a timeline is published in besides `STEM.json` (`home_timeline.json`), which is always published.
package enum PublishedFormat: String, Sendable, Hashable, CaseIterable {
  /// One post per line, as the same JSON object as in `home_timeline.json` (`jsonlines.org`).
  case jsonLines = "jsonl"
  /// An Atom feed (RFC 4287).
  case atom
  /// JSON Feed 1.1 (`jsonfeed.org/version/1.1`).
  case jsonFeed = "feed.json"
  /// One line per post.
  case text = "txt"
  /// The object that status bars read from a program (waybar's `return-type: json`).
  case bar = "bar.json"
  case html

  /// Returns the file's name in the account's or the view's folder.
  /// - Parameter stem: the stem of the timeline's files (``TimelineName/stem(hash:)``).
  package func fileName(stem: String) -> String {
    // The bar's file was there before other timelines.
    self == .bar && stem == TimelineName.homeStem ? rawValue : "\(stem).\(rawValue)"
  }
}
