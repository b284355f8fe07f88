package import CivilTime

/// A post in the form that all readers use: its whole text as plain text, with links expanded and entities decoded.
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
  package var quoted: Quote?
  package var media: [Media]
  package var counts: Counts
  /// The time of the last edit, reported by the provider or observed; `nil` if there was none.
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

  /// The post that a reply answers.
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

/// A post's id at its provider: opaque text that is only compared for equality.
package struct PostID: Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package init(_ text: String) { self.text = text }
  package var description: String { text }

  /// Whether the id consists of decimal digits.
  package var isDecimal: Bool {
    let bytes = text.utf8.span
    for index in bytes.indices where !(48...57).contains(bytes[index]) { return false }
    return !bytes.isEmpty
  }
}

/// Further identities of a post on servers whose ids may change.
package struct PostIdentity: Sendable, Hashable {
  /// The ActivityPub id. Posts with the same id are the same post.
  package let uri: String?
  /// Whether posts with the same `url` are also the same post.
  package let isNamedByURL: Bool

  package init(uri: String?, isNamedByURL: Bool) {
    self.uri = uri
    self.isNamedByURL = isNamedByURL
  }
}

/// A person or thing with an account at the provider.
package struct User: Sendable, Hashable {
  package let id: String
  package let screenName: String
  package let name: String
  package let avatarURL: String?

  package init(id: String, screenName: String, name: String, avatarURL: String? = nil) {
    self.id = id
    self.screenName = screenName
    self.name = name
    self.avatarURL = avatarURL
  }
}

/// A picture, video or audio file in a post.
package struct Media: Sendable, Hashable {
  package enum Kind: String, Sendable { case photo, video, animation = "animated_gif", audio, other }

  package let kind: Kind
  package let url: String
  /// The author's description of the picture.
  package let alternativeText: String?

  package init(kind: Kind, url: String, alternativeText: String? = nil) {
    self.kind = kind
    self.url = url
    self.alternativeText = alternativeText
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
