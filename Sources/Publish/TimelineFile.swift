package import CivilTime
package import JSON
package import Timeline

/// The file that other programs read: a head and the posts, newest first, as JSON with one post a line.
package struct TimelineFile: Sendable, Hashable {
  /// The number of the format that is written, and the newest that is read.
  package static let schema: Int64 = 1

  package let head: TimelineHead
  /// Newest first.
  package let posts: [Post]
  /// The same posts as they stand in the file, members included that this version does not know.
  package let fragments: [[UInt8]]

  /// The whole file: valid JSON that ends with a line feed.
  /// - Parameter posts: newest first, each as `PostJSON` writes it.
  package static func bytes(head: TimelineHead, posts: some Sequence<[UInt8]>) -> [UInt8] {
    Array(pieces(head: head, posts: PostLines(posts)).joined())
  }

  /// The whole file in pieces that stand one behind the other; the first of them ends where its list of posts begins.
  package static func pieces(head: TimelineHead, posts: PostLines) -> [[UInt8]] {
    posts.isEmpty
      ? [beginning(head), PostLines.ending] : [beginning(head), [0x0a], posts.bytes, [0x0a] + PostLines.ending]
  }

  /// How many bytes of the file stand behind the bracket that begins its list of posts.
  package static func size(of posts: PostLines) -> Int {
    PostLines.ending.count + (posts.isEmpty ? 0 : posts.bytes.count + 2)
  }

  private static func beginning(_ head: TimelineHead) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schema", schema)
      writer.member("account", head.account)
      writer.member("provider", head.provider)
      writer.member("user", head.user, writeUser)
      writer.member("refreshed_at", head.refreshedAt?.rfc3339)
      writer.member("next_refresh_at", head.nextRefreshAt?.rfc3339)
      writer.member("stale_since", head.staleSince?.rfc3339)
      writer.member("error", head.problem, writeProblem)
      writer.member("login_needed_by", head.loginNeededBy?.rfc3339)
      writer.member("read_up_to", head.readUpTo?.text)
      writer.member("unread", head.unread)
      writer.member("gaps", list: head.gaps, writeGap)
      writer.name("posts")
      writer.raw([UInt8(ascii: "[")])
    }
    // Without the brace that ends it: the posts come first.
    return writer.bytes.dropLast()
  }

  private static func writeUser(to writer: inout JSONWriter, _ user: User) {
    writer.object { writer in
      writer.member("id", user.id)
      writer.member("screen_name", user.screenName)
      writer.member("name", user.name)
    }
  }

  /// Why a timeline is stale, as every document of ours says it.
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

/// What the published file says besides its posts.
package struct TimelineHead: Sendable, Hashable {
  /// The account's name in the configuration.
  package var account: String
  /// The name of its provider.
  package var provider: String
  /// Whose timeline it is; `nil` before the first login. Its avatar is not published.
  package var user: User?
  /// When the provider last answered with the timeline.
  package var refreshedAt: Timestamp?
  /// When it will be asked again; `nil` when nothing is planned, as after a logout.
  package var nextRefreshAt: Timestamp?
  /// Since when refreshes have failed; `nil` while they succeed.
  package var staleSince: Timestamp?
  package var problem: Problem?
  /// By when its user has to log in again; `nil` where the login does not end, or is renewed without its user.
  package var loginNeededBy: Timestamp?
  /// Up to which post everything is read; `nil` before the first mark.
  package var readUpTo: PostID?
  /// How many of the published posts are newer than that.
  package var unread: Int
  /// Newest first.
  package var gaps: [PublishedGap]

  package init(
    account: String, provider: String, user: User? = nil, refreshedAt: Timestamp? = nil,
    nextRefreshAt: Timestamp? = nil, staleSince: Timestamp? = nil, problem: Problem? = nil,
    loginNeededBy: Timestamp? = nil, readUpTo: PostID? = nil, unread: Int = 0,
    gaps: [PublishedGap] = []
  ) {
    self.account = account
    self.provider = provider
    self.user = user
    self.refreshedAt = refreshedAt
    self.nextRefreshAt = nextRefreshAt
    self.staleSince = staleSince
    self.problem = problem
    self.loginNeededBy = loginNeededBy
    self.readUpTo = readUpTo
    self.unread = unread
    self.gaps = gaps
  }

  /// Whether a reader should say that the posts are old: refreshes fail, or the planned one is overdue.
  ///
  /// Overdue is what is late by a minute or by the refresh interval (the time from the last refresh to the planned one),
  /// whichever is more: a service that died cannot say so itself.
  package func isStale(at now: Timestamp) -> Bool {
    staleSince != nil || overdueAfter.map { now > $0 } ?? false
  }

  /// Until when a planned refresh can still be awaited; `nil` when none is planned.
  package var overdueAfter: Timestamp? {
    guard let nextRefreshAt else { return nil }
    let interval = refreshedAt.map { nextRefreshAt - $0 } ?? .zero
    return nextRefreshAt + max(interval, .seconds(60))
  }
}

/// A gap as readers of the file see it: between which two posts others may be missing.
package struct PublishedGap: Sendable, Hashable {
  /// The newest known post below.
  let after: PostID
  /// The oldest known post above.
  package let before: PostID
  /// Whether the provider can still be asked for what lies between.
  package let isFillable: Bool

  package init(after: PostID, before: PostID, isFillable: Bool) {
    self.after = after
    self.before = before
    self.isFillable = isFillable
  }

  package init(_ gap: Gap) { self.init(after: gap.after.id, before: gap.before.id, isFillable: gap.isFillable) }
}
