internal import Timeline

/// A post's id within the page. It is the same on every page, so that links to it remain valid.
package enum PageAnchor {
  /// Returns an `id` that conforms to the HTML Standard: letters, digits, `-`, and `_` with two hexadecimal digits for any other byte.
  package static func name(of item: PublishedPost) -> String {
    name(account: item.account, post: item.post.entryID, isNotice: item.post.notice != nil)
  }

  /// - Parameter isNotice: whether the id is a notification's, which may be the same as a post's.
  static func name(account: String, post: PostID, isNotice: Bool = false) -> String {
    "\(isNotice ? "notification" : "post")-\(encoded(account))-\(encoded(post.text))"
  }

  private static func encoded(_ text: String) -> String {
    ByteReplacement.encoded(
      text, prefix: UInt8(ascii: "_"), uppercase: false, plain: UTF8Text.isLetterOrDigit)
  }
}
