internal import Timeline

/// Feed readers recognise an entry by its id. An id must never change (RFC 4287 §4.2.6.1), or the entry would become unread again.
///
/// An id consists of values that never change: the account's name in the configuration and the post's id on its provider. It contains no
/// address, screen name, text or time. Posts of two accounts may have the same id, so the account is included. In a view, and in each of the
/// account's feeds, an entry has the same id.
///
/// A `tag:` URI (RFC 4151) needs an authority. Names under `.invalid` cannot be registered (RFC 6761 §6.4), so no other program creates
/// such ids.
enum EntryID {
  static func of(_ post: PublishedPost) -> String {
    prefix + (post.post.notice == nil ? "post/" : "notification/") + encoded(post.account) + "/"
      + encoded(post.post.entryID.text)
  }

  /// Returns the id of the feed itself.
  static func ofTimeline(_ head: TimelineHead) -> String {
    prefix + "timeline/" + encoded(head.account)
      + (head.timeline == .home ? "" : "/" + encoded(head.timeline.description))
  }

  private static let prefix = "tag:homeline.invalid,2026:"

  /// Returns the text with all characters except unreserved ones percent-encoded (RFC 3986 §2.1).
  private static func encoded(_ text: String) -> String {
    ByteReplacement.encoded(text, prefix: UInt8(ascii: "%"), uppercase: true) { byte in
      UTF8Text.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }
  }
}
