/// Limits on the parts of a post: far above what providers allow, and low enough that each post is cheap to show. The text has no
/// limit.
enum PostLimits {
  /// The limit for a name or screen name, in Unicode scalars.
  static let name = 1_000
  /// The limit for alternative text, in Unicode scalars. Longer text is truncated and ends in `…`.
  static let alternativeText = 10_000
  /// The limit for an address, in bytes. A longer address is left out, because part of an address would lead elsewhere.
  static let address = 8_192
  /// The maximum number of pictures, videos and sounds in one post. Further media are left out.
  static let media = 100

  static func fits(_ text: String?, _ limit: Int) -> Bool { text.map { $0.utf8.count <= limit } ?? true }

  static func cut(_ text: String, to limit: Int) -> String {
    // A scalar has at least one byte, so the scalars in most text need not be counted.
    guard text.utf8.count > limit, text.unicodeScalars.dropFirst(limit).first != nil else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
  }

  static func checked(_ address: String?) -> String? { address.flatMap { $0.utf8.count > Self.address ? nil : $0 } }
}

extension Post {
  /// The post with all its parts within the limits.
  var limited: Post {
    var post = self
    post.author = author.limited
    post.repostedBy = repostedBy?.limited
    post.inReplyTo = inReplyTo.map {
      Reply(id: $0.id, screenName: $0.screenName.map { PostLimits.cut($0, to: PostLimits.name) })
    }
    post.url = PostLimits.checked(url)
    post.media = media.limited
    post.quoted = quoted.map {
      Quote(
        id: $0.id, createdAt: $0.createdAt, author: $0.author.limited, text: $0.text, url: PostLimits.checked($0.url),
        media: $0.media.limited)
    }
    return post
  }

  /// Whether all parts are certainly within the limits. This is determined from the number of bytes; a scalar has one or more bytes.
  var isLimited: Bool {
    author.isLimited && repostedBy?.isLimited ?? true && PostLimits.fits(inReplyTo?.screenName, PostLimits.name)
      && PostLimits.fits(url, PostLimits.address) && media.areLimited
      && quoted.map { $0.author.isLimited && PostLimits.fits($0.url, PostLimits.address) && $0.media.areLimited }
        ?? true
  }
}

extension User {
  fileprivate var isLimited: Bool {
    PostLimits.fits(screenName, PostLimits.name) && PostLimits.fits(name, PostLimits.name)
      && PostLimits.fits(avatarURL, PostLimits.address)
  }

  fileprivate var limited: User {
    User(
      id: id, screenName: PostLimits.cut(screenName, to: PostLimits.name),
      name: PostLimits.cut(name, to: PostLimits.name), avatarURL: PostLimits.checked(avatarURL))
  }
}

extension [Media] {
  fileprivate var areLimited: Bool {
    count <= PostLimits.media
      && allSatisfy {
        PostLimits.fits($0.url, PostLimits.address) && PostLimits.fits($0.alternativeText, PostLimits.alternativeText)
      }
  }

  fileprivate var limited: [Media] {
    prefix(PostLimits.media).compactMap { media in
      PostLimits.checked(media.url).map { url in
        Media(
          kind: media.kind, url: url,
          alternativeText: media.alternativeText.map { PostLimits.cut($0, to: PostLimits.alternativeText) })
      }
    }
  }
}
