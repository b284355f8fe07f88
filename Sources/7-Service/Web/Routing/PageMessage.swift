internal import HTTP

/// What a page says about the change that led to it. Its address names it (``WebQuery/message``), so that the address contains no text from elsewhere.
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

  /// Returns nil if an address names no message.
  /// - Throws: status 400 for another one.
  init?(_ query: WebQuery) throws(WebError) {
    guard let text = query[WebQuery.message] else { return nil }
    guard let message = Self(rawValue: text) else {
      throw .badAddress("The value of “\(WebQuery.message)” is none of this page's messages.")
    }
    self = message
  }

  /// The message, as a sentence.
  package var text: String {
    switch self {
    case .liked: "You liked the post."
    case .unliked: "You no longer like the post."
    case .reposted: "You reposted the post."
    case .unreposted: "You undid your repost."
    case .bookmarked: "You bookmarked the post."
    case .unbookmarked: "You removed the bookmark."
    case .marked: "Everything up to this post is read."
    case .deleted: "You deleted your post."
    case .wasLiked: "You had already liked the post."
    case .wasNotLiked: "You had not liked the post."
    case .wasReposted: "You had already reposted the post."
    case .wasNotReposted: "You had not reposted the post."
    case .wasBookmarked: "You had already bookmarked the post."
    case .wasNotBookmarked: "You had not bookmarked the post."
    case .wasDeleted: "The post had already been deleted."
    case .refreshed: "Refreshed."
    }
  }

  /// The message as an element that screen readers announce (WAI-ARIA 1.2, `status`).
  var html: Markup { "<p class=\"said\" role=\"status\">\(text)</p>\n" }
}
