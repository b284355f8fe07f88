package import Time

/// A post in the form that all readers use: the whole text as plain text, with links expanded and entities decoded.
package struct Post: Sendable, Hashable {
  package var id: PostID
  package var createdAt: Timestamp
  /// The author of the text; for a repost, the author of the original.
  package var author: User
  package var text: String
  package var url: String?
  /// The language, as a BCP 47 tag such as `en`.
  package var language: String?
  /// The user who reposted the post into this timeline.
  package var repostedBy: User?
  package var inReplyTo: Reply?
  package var quoted: Quote? {
    get { quote?.value }
    set { quote = newValue.map { .of($0) } }
  }
  package var media: [Media]
  package var counts: Counts
  /// The time of the last edit, reported by the provider or observed; `nil` if there was none.
  package var editedAt: Timestamp?
  /// The effect of the user's filters on the server; `nil` if none matches. The text contains the warning, if there is one.
  package var filter: ServerFilter?
  /// The event that the timeline contains the post for; `nil` in timelines of posts.
  package var notice: Notice? {
    get { event?.value }
    set { event = newValue.map { .of($0) } }
  }
  private var quote: Separate<Quote>?
  private var event: Separate<Notice>?
  /// Whether the event is about no post, so that nothing but `notice` has content.
  package private(set) var isEventOnly = false

  /// A large part that few posts have. It is allocated separately, because it would make every post larger.
  private indirect enum Separate<Value: Sendable & Hashable>: Sendable, Hashable {
    case of(Value)

    var value: Value {
      switch self {
      case .of(let value): value
      }
    }
  }

  /// The post being replied to.
  package struct Reply: Sendable, Hashable {
    package let id: PostID
    package let screenName: String?

    package init(id: PostID, screenName: String?) {
      self.id = id
      self.screenName = screenName
    }
  }

  /// A post shown inside another one. Its own quote is not shown.
  package struct Quote: Sendable, Hashable {
    package let id: PostID
    package let createdAt: Timestamp
    package let author: User
    package let text: String
    package let url: String?
    package let media: [Media]

    package init(id: PostID, createdAt: Timestamp, author: User, text: String, url: String?, media: [Media]) {
      self.id = id
      self.createdAt = createdAt
      self.author = author
      self.text = text
      self.url = url
      self.media = media
    }
  }

  /// The numbers of replies, reposts and likes; `nil` if the provider does not report them.
  package struct Counts: Sendable, Hashable {
    package var replies: Int?
    package var reposts: Int?
    package var likes: Int?

    package init(replies: Int? = nil, reposts: Int? = nil, likes: Int? = nil) {
      self.replies = replies
      self.reposts = reposts
      self.likes = likes
    }
  }
}

// Beside the structure, whose implicit initialiser makes a post in place. One that assigns each property would copy the post at its end.
extension Post {
  package init(
    id: PostID, createdAt: Timestamp, author: User, text: String, url: String? = nil, language: String? = nil,
    repostedBy: User? = nil, inReplyTo: Reply? = nil, quoted: Quote? = nil, media: [Media] = [],
    counts: Counts = Counts(), editedAt: Timestamp? = nil, filter: ServerFilter? = nil, notice: Notice? = nil
  ) {
    self.init(
      id: id, createdAt: createdAt, author: author, text: text, url: url, language: language, repostedBy: repostedBy,
      inReplyTo: inReplyTo, media: media, counts: counts, editedAt: editedAt, filter: filter,
      quote: quoted.map { .of($0) }, event: notice.map { .of($0) })
  }

  /// Creates a post for an event that is about no post, such as a new follower. Its author is the first user who caused the event.
  package init(event notice: Notice) {
    self.init(
      id: notice.id, createdAt: notice.at, author: notice.actors.first ?? .unknown, text: "", notice: notice)
    isEventOnly = true
  }
}

extension Post {
  /// The addresses of the avatars and pictures that a page shows for the post.
  package var pictureURLs: [String] {
    let people = [author.avatarURL, repostedBy?.avatarURL].compactMap { $0 }
    return people + media.pictureURLs + (quoted?.pictureURLs ?? [])
  }
}

extension Post.Quote {
  package var pictureURLs: [String] { [author.avatarURL].compactMap { $0 } + media.pictureURLs }
}

extension [Media] {
  fileprivate var pictureURLs: [String] { filter { $0.kind == .photo }.map(\.url) }
}

extension Post {
  /// The post as it is in timelines without events.
  package var withoutNotice: Post {
    var post = self
    post.notice = nil
    return post
  }

  /// The id of the post's place in its timeline, which gaps and read marks name. A notification has its own id, because several can be
  /// about one post.
  package var entryID: PostID { notice?.id ?? id }

  /// When the post came into its timeline.
  package var enteredAt: Timestamp { notice?.at ?? createdAt }

  /// The user who brought the post into its timeline: the first one who caused the event, otherwise the post's author.
  package var enteredBy: User { notice?.actors.first ?? author }
}
