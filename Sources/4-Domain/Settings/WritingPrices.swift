/// A provider's prices for publishing, in millionths of a US dollar per request.
package struct WritingPrices: Sendable, Hashable {
  /// The price of a post without a link. X charges less for some replies; homeline assumes the full price for all of them.
  package var post: Int64
  package var postWithLink: Int64
  var repost: Int64
  var bookmark: Int64
  /// The price of deleting a post, or of undoing an action.
  var removal: Int64
  /// The price of describing one of a post's files. Uploading it costs nothing.
  package var description: Int64
  /// The price of reading one of the user's own posts with the user's own application, to determine whether a post was published.
  package var ownPost: Int64

  /// Returns the price of publishing a post.
  /// - Parameter descriptions: the number of descriptions to send.
  package func cost(ofPostWithLink hasLink: Bool, descriptions: Int = 0) -> Int64 {
    (hasLink ? postWithLink : post) + Int64(descriptions) * description
  }

  /// Returns the price of an action on a post.
  /// - Parameter action: `delete`, `repost`, `like` or `bookmark`.
  package func cost(ofAction action: String, isUndone: Bool) -> Int64 {
    if isUndone { return removal }
    switch action {
    case "delete": return removal
    case "bookmark": return bookmark
    default: return repost
    }
  }
}
