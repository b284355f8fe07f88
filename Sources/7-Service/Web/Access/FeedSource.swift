internal import Cryptography
internal import Folders
internal import PublishedFiles
internal import Settings
internal import Timeline

/// What a feed is made from: one of an account's timelines, or a view.
enum FeedSource: Sendable, Hashable {
  case timeline(TimelineKey)
  case view(AccountName)

  /// The formats of feeds, with their file names in addresses.
  static let formats: [(format: PublishedFormat, file: String, name: String)] = [
    (.atom, "atom.xml", "Atom"), (.jsonFeed, "feed.json", "JSON Feed"),
  ]

  /// Reads ``text``; nil for anything else.
  init?(text: String) {
    if text.hasPrefix("view ") {
      guard let name = AccountName(String(text.dropFirst(5))) else { return nil }
      self = .view(name)
    } else {
      let (name, timeline) = TimelineKey.parts(of: text)
      guard let account = AccountName(name), let timeline = try? timeline.map({ try TimelineName($0) }) ?? .home else {
        return nil
      }
      self = .timeline(TimelineKey(account: account, timeline: timeline))
    }
  }

  /// The source as stored and sent: `ACCOUNT`, `ACCOUNT/TIMELINE` or `view NAME`.
  var text: String {
    switch self {
    case .timeline(let key): key.description
    case .view(let name): "view \(name)"
    }
  }

  /// The page with the same posts.
  var page: WebAddress {
    switch self {
    case .timeline(let key): .timeline(key)
    case .view(let name): .view(name)
    }
  }

  /// Returns all sources that are published as feeds, in the order of the configuration.
  static func all(in configuration: Configuration) -> [FeedSource] {
    let timelines = configuration.accounts.filter { $0.hasTimeline() }.flatMap { account in
      account.timelines.map { FeedSource.timeline(TimelineKey(account: account.name, timeline: $0)) }
    }
    let views = configuration.views.map { FeedSource.view($0.name) }
    return (timelines + views).filter { !$0.published(in: configuration).isEmpty }
  }

  /// Returns the feed formats that the source is published in.
  func published(in configuration: Configuration) -> [PublishedFormat] {
    let formats: [PublishedFormat]? =
      switch self {
      case .timeline(let key): configuration[key.account]?[key.timeline].publish
      case .view(let name): configuration.views.first { $0.name == name }?.publish
      }
    return Self.formats.map(\.format).filter { formats?.contains($0) ?? false }
  }

  /// Returns the path of the published file.
  func path(_ format: PublishedFormat, in layout: FileLayout) throws(CryptographyError) -> String {
    switch self {
    case .timeline(let key):
      try layout.files(of: key.account.text).published(of: key.timeline).published(as: format)
    case .view(let name): TimelineFiles(in: layout.viewFolder(of: name.text)).published(as: format)
    }
  }
}
