package import JSON
internal import Time
package import Timeline

/// The file that other programs read: a head and the posts, newest first, as JSON with one post per line.
package struct TimelineFile: Sendable, Hashable {
  /// The number of the schema that is written, and of the newest schema that can be read. Schema 1 can be read too.
  package static let schema: Int64 = 2

  package let head: TimelineHead
  /// The posts, newest first.
  package let posts: [Post]
  /// The same posts as bytes from the file, including members unknown to this version.
  package let fragments: [[UInt8]]

  /// Returns the file in consecutive pieces: valid JSON that ends with a line feed. The first piece ends where the list of posts begins.
  package static func pieces(head: TimelineHead, posts: PostLines) -> [[UInt8]] {
    posts.isEmpty
      ? [beginning(head), PostLines.ending] : [beginning(head), [0x0a], posts.bytes, [0x0a] + PostLines.ending]
  }

  /// Returns the number of bytes after the opening bracket of the list of posts.
  package static func size(of posts: PostLines) -> Int {
    PostLines.ending.count + (posts.isEmpty ? 0 : posts.bytes.count + 2)
  }

  private static func beginning(_ head: TimelineHead) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schema", schema)
      writer.member("account", head.account)
      if head.timeline != .home { writer.member("timeline", head.timeline.description) }
      writer.member("provider", head.provider)
      writer.member("user", head.user, writeUser)
      writer.member("refreshed_at", head.refreshedAt?.rfc3339)
      writer.member("fresh_until", head.freshUntil?.rfc3339)
      writer.member("stale_since", head.staleSince?.rfc3339)
      writer.member("error", head.problem, writeProblem)
      writer.member("login_needed_by", head.loginNeededBy?.rfc3339)
      writer.member("read_up_to", head.readUpTo?.text)
      writer.member("unread", head.unread)
      writer.member("gaps", list: head.gaps, writeGap)
      writer.name("posts")
      writer.raw([UInt8(ascii: "[")])
    }
    // The closing brace is left out, because the posts follow.
    return writer.bytes.dropLast()
  }

  private static func writeUser(to writer: inout JSONWriter, _ user: User) {
    writer.object { writer in
      writer.member("id", user.id)
      writer.member("screen_name", user.screenName)
      writer.member("name", user.name)
    }
  }

  /// Writes the reason a timeline is stale, in the form that all of this program's documents use.
  package static func writeProblem(to writer: inout JSONWriter, _ problem: Problem) {
    writer.object { writer in
      writer.member("code", problem.code.rawValue)
      writer.member("message", problem.message)
      writer.member("retry_at", problem.retryAt?.rfc3339)
    }
  }

  private static func writeGap(to writer: inout JSONWriter, _ gap: PublishedGap) {
    writer.object { writer in
      writer.member("after", gap.after.text)
      writer.member("before", gap.before.text)
      writer.member("fillable", gap.isFillable)
    }
  }
}
