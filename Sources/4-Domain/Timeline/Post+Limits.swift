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
    post.notice = notice?.limited
    return post
  }

  /// Whether all parts are certainly within the limits. This is determined from the number of bytes; a scalar has one or more bytes.
  var isLimited: Bool {
    author.isLimited && repostedBy?.isLimited ?? true && PostLimits.fits(inReplyTo?.screenName, PostLimits.name)
      && PostLimits.fits(url, PostLimits.address) && media.areLimited
      && quoted.map { $0.author.isLimited && PostLimits.fits($0.url, PostLimits.address) && $0.media.areLimited }
        ?? true
      && notice?.isLimited ?? true
  }
}

extension Notice {
  fileprivate var isLimited: Bool {
    PostLimits.fits(kind, PostLimits.name) && PostLimits.fits(group, PostLimits.name)
      && PostLimits.fits(text, PostLimits.noticeText) && actors.count <= PostLimits.actors
      && actors.allSatisfy(\.isLimited)
  }

  fileprivate var limited: Notice {
    Notice(
      id: id, kind: PostLimits.cut(kind, to: PostLimits.name), actors: actors.prefix(PostLimits.actors).map(\.limited),
      // Truncated names of two groups could be the same.
      group: group.flatMap { PostLimits.fits($0, PostLimits.name) ? $0 : nil }, at: at,
      text: text.map { PostLimits.cut($0, to: PostLimits.noticeText) })
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
