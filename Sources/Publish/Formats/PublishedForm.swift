package import Timeline

/// How a format is made of a publication, and when it is written.
///
/// To add a format: a case of ``PublishedFormat``, and its declaration here.
package struct PublishedForm: Sendable {
  /// How many of the newest posts a file of the format holds at most.
  package enum Extent: Sendable {
    case all
    /// As many as the setting `feed_posts` says.
    case feed
    case atMost(Int)
  }

  /// What a file is made of.
  package enum Content: Sendable {
    /// The lines of `home_timeline.json`, without a look at the posts in them.
    case lines(@Sendable (PostLines) -> [UInt8])
    case posts(Extent, @Sendable (Publication) -> [UInt8])
  }

  package let content: Content
  /// Whether the file may be up to a minute behind `home_timeline.json`, so that several refreshes write it once.
  package let isGathered: Bool
  /// Whether pictures that are kept here are shown, and what the whole timeline looks like.
  package let isPage: Bool

  init(_ content: Content, isGathered: Bool = true, isPage: Bool = false) {
    self.content = content
    self.isGathered = isGathered
    self.isPage = isPage
  }
}

extension PublishedFormat {
  package var form: PublishedForm {
    switch self {
    case .jsonLines: PublishedForm(.lines(\.separate), isGathered: false)
    case .atom: PublishedForm(.posts(.feed, AtomFeed.bytes))
    case .jsonFeed: PublishedForm(.posts(.feed, JSONFeed.bytes))
    case .text: PublishedForm(.posts(.all, TextLines.bytes))
    case .bar: PublishedForm(.posts(.atMost(Publication.postsOfPage), BarLine.bytes), isGathered: false)
    case .html: PublishedForm(.posts(.atMost(Publication.postsOfPage), TimelinePage.bytes), isPage: true)
    }
  }

  /// The whole file.
  package func bytes(of publication: Publication) -> [UInt8] {
    switch form.content {
    case .lines(let render): render(PostLines(publication.posts.lazy.map(\.json)))
    case .posts(_, let render): render(publication)
    }
  }
}
