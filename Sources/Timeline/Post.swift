package import CivilTime

/// A post as every reader gets it: plain whole text, links expanded, entities decoded.
package struct Post: Sendable, Hashable {
  package var id: PostID
  package var createdAt: Timestamp
  /// Who wrote the text; for a repost the one who wrote what was reposted.
  package var author: User
  package var text: String
  package var url: String?
  /// A BCP 47 tag, such as `en`.
  package var language: String?
  /// Who brought it into this timeline, when that is not the author.
  package var repostedBy: User?
  package var inReplyTo: Reply?
  package var quoted: Quote?
  package var media: [Media]
  package var counts: Counts
  /// When its text was last changed, as far as its provider says or it was seen; `nil` for one that never was.
  package var editedAt: Timestamp?

  package init(
    id: PostID, createdAt: Timestamp, author: User, text: String, url: String? = nil, language: String? = nil,
    repostedBy: User? = nil, inReplyTo: Reply? = nil, quoted: Quote? = nil, media: [Media] = [],
    counts: Counts = Counts(), editedAt: Timestamp? = nil
  ) {
    self.id = id
    self.createdAt = createdAt
    self.author = author
    self.text = text
    self.url = url
    self.language = language
    self.repostedBy = repostedBy
    self.inReplyTo = inReplyTo
    self.quoted = quoted
    self.media = media
    self.counts = counts
    self.editedAt = editedAt
  }

  /// What a post answers to.
  package struct Reply: Sendable, Hashable {
    package let id: PostID
    package let screenName: String?

    package init(id: PostID, screenName: String?) {
      self.id = id
      self.screenName = screenName
    }
  }

  /// A post shown inside another one. What a quoted post itself quotes is not shown.
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

  /// How often others answered, passed on or liked; `nil` where the provider does not say.
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
