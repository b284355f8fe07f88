internal import HTTP
internal import JSON
internal import Time
internal import Timeline

/// The timeline as a JSON Feed, version 1.1 (`https://jsonfeed.org/version/1.1`).
///
/// The feed contains neither the time of publication nor the read position, so an unchanged timeline produces the same bytes. Items have no
/// title, as the specification suggests for short posts.
enum JSONFeed {
  static func bytes(of publication: Publication) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", "https://jsonfeed.org/version/1.1")
      writer.member("title", FeedTitle.of(publication.head))
      writer.member(
        "authors", list: [FeedTitle.owner(of: publication.head)],
        { writer, name in writer.object { $0.member("name", name) } })
      writer.member("items", list: publication.posts, write)
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Writes a post as an item. Members without a value are omitted, because readers of this format do not expect `null`.
  private static func write(to writer: inout JSONWriter, _ published: PublishedPost) {
    let post = published.post
    // A feed reader would show these media without a warning. The content links to them instead.
    let media = post.mediaWarning == nil ? post.media : []
    let image = media.lazy.filter { $0.kind == .photo }.compactMap { WebLink($0.url) }.first
    let attachments = media.compactMap(Attachment.init)
    writer.object { writer in
      writer.member("id", EntryID.of(published))
      if let link = post.url.flatMap(WebLink.init) { writer.member("url", link.text) }
      writer.member("content_html", PostContent.html(of: published).text)
      writer.member("content_text", PostContent.text(of: published))
      if let image { writer.member("image", image.text) }
      writer.member("date_published", post.enteredAt.rfc3339)
      if let editedAt = post.editedAt, post.notice == nil { writer.member("date_modified", editedAt.rfc3339) }
      writer.member("authors", list: [post.enteredBy], writeAuthor)
      if let language = LanguageTag.checked(post.language) { writer.member("language", language) }
      if !attachments.isEmpty { writer.member("attachments", list: attachments, writeAttachment) }
    }
  }

  private static func writeAuthor(to writer: inout JSONWriter, _ user: User) {
    writer.object { writer in
      writer.member("name", PersonName.short(of: user))
      if let avatar = user.avatarURL.flatMap(WebLink.init) { writer.member("avatar", avatar.text) }
    }
  }

  private static func writeAttachment(to writer: inout JSONWriter, _ attachment: Attachment) {
    writer.object { writer in
      writer.member("url", attachment.link.text)
      writer.member("mime_type", attachment.type)
      if let title = attachment.title { writer.member("title", title) }
    }
  }

  /// A medium whose type is known, because the format requires a type.
  private struct Attachment {
    let link: WebLink
    let type: String
    let title: String?

    init?(_ media: Media) {
      guard let link = WebLink(media.url), let type = LinkMediaType.of(link) else { return nil }
      self.link = link
      self.type = type
      title = media.alternativeText.map { SafeText.line(of: $0) }
    }
  }
}

/// Derives the media type of a link from the extension in its path, without fetching anything.
enum LinkMediaType {
  /// Returns the media type of a link; `nil` if the extension is unknown.
  static func of(_ link: WebLink) -> String? {
    let path = link.text.prefix { $0 != "?" && $0 != "#" }
    // A dot in the host does not start an extension.
    guard let name = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).last,
      let dot = name.lastIndex(of: ".")
    else { return nil }
    return types[name[dot...].dropFirst().lowercased()]
  }

  /// Extensions that providers' media servers use, with the types registered with IANA.
  private static let types = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
    "avif": "image/avif", "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mov": "video/quicktime",
    "mp3": "audio/mpeg", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac",
    "m3u8": "application/vnd.apple.mpegurl",
  ]
}
