package import Time
package import Timeline

/// A published format: how it is rendered, and when it is written.
///
/// To add a format, add a case to ``PublishedFormat`` and its declaration here.
package struct PublishedForm: Sendable {
  /// The maximum number of newest posts in a file of this format.
  package enum Extent: Sendable {
    case all
    /// The number given by the `feed_posts` setting.
    case feed
    case atMost(Int)
  }

  /// The input of the renderer.
  package enum Content: Sendable {
    /// The lines of `home_timeline.json`, without decoding the posts.
    case lines(@Sendable (PostLines) -> [UInt8])
    case posts(Extent, @Sendable (Publication) -> [UInt8])
  }

  package let content: Content
  /// How much older than `home_timeline.json` a gathered file may be: five refreshes at the default interval. On a day with new
  /// posts in 255 of 960 refreshes, the files are thus written about 125 times instead of 255 times.
  package static let gathering = Duration.seconds(450)
  /// Whether the file may be older than `home_timeline.json`, so that several refreshes write it once.
  let isGathered: Bool
  /// Whether the file shows stored pictures and an overview of the whole timeline.
  package let isPage: Bool

  /// Returns whether a file of this format may be out of date for up to ``gathering``. This excludes a page whose freshness promise ends
  /// earlier, because it would seem old in between.
  /// - Parameter promise: when the existing file stops being fresh; `nil` if it does not state a time.
  package func mayWait(at now: Timestamp, until promise: Timestamp?) -> Bool {
    isGathered && !(isPage && promise.map { $0 - now < Self.gathering } ?? false)
  }

  init(_ content: Content, isGathered: Bool = true, isPage: Bool = false) {
    self.content = content
    self.isGathered = isGathered
    self.isPage = isPage
  }
}

extension PublishedFormat {
  package var form: PublishedForm {
    switch self {
    case .jsonLines: PublishedForm(.lines(\.separate))
    case .atom: PublishedForm(.posts(.feed, AtomFeed.bytes))
    case .jsonFeed: PublishedForm(.posts(.feed, JSONFeed.bytes))
    case .text: PublishedForm(.posts(.all, TextLines.bytes))
    case .bar: PublishedForm(.posts(.atMost(Publication.postsOfPage), BarLine.bytes), isGathered: false)
    case .html: PublishedForm(.posts(.atMost(Publication.postsOfPage), TimelinePage.bytes), isPage: true)
    }
  }

  /// Returns the content of the file.
  package func bytes(of publication: Publication) -> [UInt8] {
    switch form.content {
    case .lines(let render): render(PostLines(publication.posts.lazy.map(\.json)))
    case .posts(_, let render): render(publication)
    }
  }
}
