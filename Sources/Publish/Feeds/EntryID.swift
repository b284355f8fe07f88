internal import Timeline

/// The names by which feed readers know an entry again: they must never change (RFC 4287 §4.2.6.1), or it is unread anew.
///
/// They are made of what does not change alone: the account's name in the configuration and the post's id at its provider; not of an
/// address, a screen name, a text or a time. Two accounts may have posts of the same id, so the account is in it, and a view's entry has
/// the name that it has in the account's own feed.
///
/// A `tag:` URI (RFC 4151) needs an authority. Nobody gets a name below `.invalid` (RFC 6761 §6.4), so nobody else mints these.
enum EntryID {
  static func of(_ post: PublishedPost) -> String {
    prefix + "post/" + encoded(post.account) + "/" + encoded(post.post.id.text)
  }

  /// The feed's own.
  static func ofTimeline(_ head: TimelineHead) -> String { prefix + "timeline/" + encoded(head.account) }

  private static let prefix = "tag:homeline.invalid,2026:"

  /// What is not unreserved as percent-encoded bytes (RFC 3986 §2.1).
  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
      }
    }
  }
}
