internal import HTTP
internal import Timeline

/// Which posts a list shows, as its address says: `reposts=0`, `replies=0`, `media=1`, `unread=1` and `by=NAME`.
struct PostConditions: Sendable, Hashable {
  private(set) var hidesReposts = false
  private(set) var hidesReplies = false
  private(set) var onlyMedia = false
  private(set) var onlyUnread = false
  /// A case-insensitive screen name, with or without a leading `@`; empty for all authors.
  private(set) var author = ""

  static let names = ["reposts", "replies", "media", "unread", "by"]
  /// The maximum length of a screen name in bytes.
  private static let longestAuthor = 512

  init() {}

  /// - Throws: status 400 if a value is none that its name can have.
  init(_ query: WebQuery) throws(WebError) {
    hidesReposts = try Self.flag(query, "reposts", default: true) == false
    hidesReplies = try Self.flag(query, "replies", default: true) == false
    onlyMedia = try Self.flag(query, "media", default: false)
    onlyUnread = try Self.flag(query, "unread", default: false)
    author = query["by"] ?? ""
    if author.utf8.count > Self.longestAuthor {
      throw .badAddress("The author's name in “by” is longer than \(Self.longestAuthor) bytes.")
    }
  }

  private static func flag(_ query: WebQuery, _ name: String, default usual: Bool) throws(WebError) -> Bool {
    switch query[name] {
    case nil: usual
    case "0": false
    case "1": true
    default: throw .badAddress("The value of “\(name)” is neither 0 nor 1.")
    }
  }

  /// Whether all posts are shown.
  var isEmpty: Bool { self == PostConditions() }

  /// The conditions that do not depend on the read mark.
  var filter: PostFilter {
    PostFilter(
      authors: author.isEmpty ? [] : [author], isMediaOnly: onlyMedia, includesReplies: !hidesReplies,
      includesReposts: !hidesReposts)
  }

  /// Returns the address of a list with these conditions.
  func added(to address: WebAddress) -> WebAddress {
    var address = address
    if hidesReposts { address = address.with("reposts", "0") }
    if hidesReplies { address = address.with("replies", "0") }
    if onlyMedia { address = address.with("media", "1") }
    if onlyUnread { address = address.with("unread", "1") }
    if !author.isEmpty { address = address.with("by", author) }
    return address
  }
}
