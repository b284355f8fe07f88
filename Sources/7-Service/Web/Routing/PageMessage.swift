internal import HTTP

/// What a page says about the change that led to it. Its address names it (`done`), so that the address contains no text from elsewhere.
package enum PageMessage: String, Sendable, Hashable, CaseIterable {
  case liked, unliked, reposted, unreposted, bookmarked, unbookmarked, marked, deleted
  case wasLiked = "was-liked"
  case wasNotLiked = "was-not-liked"
  case wasReposted = "was-reposted"
  case wasNotReposted = "was-not-reposted"
  case wasBookmarked = "was-bookmarked"
  case wasNotBookmarked = "was-not-bookmarked"
  case wasDeleted = "was-deleted"
  case refreshed

  /// The name of the value in an address.
  static let name = "done"

  /// Returns nil if an address names no message.
  /// - Throws: status 400 for another one.
  init?(_ query: WebQuery) throws(WebError) {
    guard let text = query[Self.name] else { return nil }
    guard let message = Self(rawValue: text) else {
      throw .badAddress("The value of “\(Self.name)” is none of this page's messages.")
    }
    self = message
  }

  /// The message, as a sentence.
  package var text: String {
    switch self {
    case .liked: "You like the post."
    case .unliked: "You do not like the post any more."
    case .reposted: "You have reposted the post."
    case .unreposted: "Your repost is taken back."
    case .bookmarked: "The post is bookmarked."
    case .unbookmarked: "The bookmark is removed."
    case .marked: "Read up to this post."
    case .deleted: "Your post is deleted."
    case .wasLiked: "You had liked the post already."
    case .wasNotLiked: "You had not liked the post."
    case .wasReposted: "You had reposted the post already."
    case .wasNotReposted: "You had not reposted the post."
    case .wasBookmarked: "The post was bookmarked already."
    case .wasNotBookmarked: "The post was not bookmarked."
    case .wasDeleted: "The post was deleted already."
    case .refreshed: "Refreshed."
    }
  }

  /// The message as an element that screen readers announce (WAI-ARIA 1.2, `status`).
  var html: Markup { "<p class=\"said\" role=\"status\">\(text)</p>\n" }
}
