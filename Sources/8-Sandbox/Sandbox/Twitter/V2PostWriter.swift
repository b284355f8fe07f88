internal import JSON
internal import Time

/// Writes a post as the v2 API does: id, text, the ids of its versions, and the requested fields.
struct V2PostWriter {
  /// The maximum length of `text`. Longer text is truncated, and `note_tweet` contains the whole text.
  private static let longestText = 280

  let fields: V2Query.Fields
  let usesNewNames: Bool

  func write(_ version: PostVersion, to writer: inout JSONWriter) {
    let post = version.post
    let text = Self.text(of: version)
    writer.object { writer in
      writer.member("id", String(version.id))
      writer.member("text", text.text)
      writer.member(name("edit_history_tweet_ids", "edit_history_post_ids"), list: version.history) {
        $0.string(String($1))
      }
      if fields.has("author_id") { writer.member("author_id", String(post.author.id)) }
      if fields.has("created_at") { writer.member("created_at", post.createdAt.rfc3339WithMilliseconds) }
      if fields.has("lang") { writer.member("lang", post.author.language) }
      if requests("referenced_tweets", "referenced_posts") { writeReferences(of: post, to: &writer) }
      if fields.has("public_metrics") {
        writer.name("public_metrics")
        writer.object { writer in
          writer.member("retweet_count", post.reposts)
          writer.member("reply_count", 0)
          writer.member("like_count", post.likes)
          writer.member("quote_count", 0)
        }
      }
      if fields.has("attachments"), !post.attachments.isEmpty {
        writer.name("attachments")
        writer.object { $0.member("media_keys", list: post.attachments) { $0.string(V2MediaWriter.key($1)) } }
      }
      if fields.has("entities") { writeEntities(of: text, in: version, to: &writer) }
      if text.isCut, !post.isRepost, requests("note_tweet", "note_post") {
        let whole = PostText(version.pieces)
        writer.name(name("note_tweet", "note_post"))
        writer.object { writer in
          writer.member("text", whole.text)
          writeEntities(of: whole, in: version, to: &writer)
        }
      }
    }
  }

  private static func text(of version: PostVersion) -> PostText {
    PostText(version.pieces, limit: version.post.isRepost ? PostText.compatibleLength : longestText)
  }

  private func name(_ old: String, _ new: String) -> String { usesNewNames ? new : old }

  private func requests(_ old: String, _ new: String) -> Bool { fields.has(old) || fields.has(new) }

  private func writeReferences(of post: SandboxPost, to writer: inout JSONWriter) {
    var references: [(type: String, id: UInt64)] = []
    if let reply = post.reply { references.append(("replied_to", reply.id)) }
    switch post.companion {
    case .none: break
    case .reposted(let original): references.append(("retweeted", original.id))
    case .quoted(let quoted, _): references.append(("quoted", quoted.id))
    }
    guard !references.isEmpty else { return }
    writer.member(name("referenced_tweets", "referenced_posts"), list: references) { writer, reference in
      writer.object { writer in
        writer.member("type", reference.type)
        writer.member("id", String(reference.id))
      }
    }
  }

  /// Writes `entities`, which a post without entities does not have. The link to pictures is repeated for each picture.
  private func writeEntities(of text: PostText, in version: PostVersion, to writer: inout JSONWriter) {
    guard !text.entities.isEmpty else { return }
    let post = version.post
    writer.name("entities")
    writer.object { writer in
      let links = text.entities.flatMap {
        mark -> [(range: Range<Int>, short: String, expanded: String, key: String?)] in
        switch mark.entity {
        case .link(let short, let expanded): return [(mark.range, short, expanded, nil)]
        case .media(let short):
          return post.attachments.enumerated().map { index, media in
            let kind = media.isVideo ? "video" : "photo"
            let address = "https://twitter.com/\(post.author.screenName)/status/\(version.id)/\(kind)/\(index + 1)"
            return (mark.range, short, address, V2MediaWriter.key(media))
          }
        case .hashtag, .mention: return []
        }
      }
      if !links.isEmpty {
        writer.member("urls", list: links) { writer, link in
          Self.entity(link.range, to: &writer) { writer in
            writer.member("url", link.short)
            writer.member("expanded_url", link.expanded)
            if let key = link.key { writer.member("media_key", key) }
          }
        }
      }
      let marks = text.entities
      writer.name("hashtags")
      writer.array { writer in
        for case (.hashtag(let word), let range) in marks {
          Self.entity(range, to: &writer) { $0.member("tag", word) }
        }
      }
      writer.name("mentions")
      writer.array { writer in
        for case (.mention(let author), let range) in marks {
          Self.entity(range, to: &writer) { writer in
            writer.member("username", author.screenName)
            writer.member("id", String(author.id))
          }
        }
      }
    }
  }

  private static func entity(_ range: Range<Int>, to writer: inout JSONWriter, _ more: (inout JSONWriter) -> Void) {
    writer.object { writer in
      writer.member("start", range.lowerBound)
      writer.member("end", range.upperBound)
      more(&writer)
    }
  }
}

extension SandboxPost {
}

extension Timestamp {
  /// `2026-11-19T10:15:30.250Z`
  fileprivate var rfc3339WithMilliseconds: String {
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    return rfc3339.dropLast() + ".\(fraction)Z"
  }
}
