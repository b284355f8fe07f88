internal import JSON
internal import Time

/// Writes a page as the v2 API does: the posts with the requested fields, and separately the objects that they refer to.
struct V2Writer {
  struct Page {
    let json: [UInt8]
    /// The number of posts that are billed, both on the page and included.
    let posts: Int
  }

  private let timeline: SandboxTimeline
  private let fields: V2Query.Fields
  private let quirks: V2Quirks
  private let posts: V2PostWriter

  init(timeline: SandboxTimeline, fields: V2Query.Fields, quirks: V2Quirks) {
    self.timeline = timeline
    self.fields = fields
    self.quirks = quirks
    posts = V2PostWriter(fields: fields, usesNewNames: quirks.usesNewNames)
  }

  func page(_ versions: [PostVersion], nextToken: String?) -> Page {
    let referenced = fields.expands("referenced_tweets.id") ? references(of: versions) : []
    let included = quirks.losesReferences ? [] : referenced
    let users = quirks.omitsUsers ? [] : authors(of: versions, and: included)
    let media = fields.expands("attachments.media_keys") ? shown(versions, and: included) : []
    var writer = JSONWriter()
    writer.object { writer in
      if !versions.isEmpty { writer.member("data", list: versions) { posts.write($1, to: &$0) } }
      if !users.isEmpty || !included.isEmpty || !media.isEmpty {
        writer.name("includes")
        writer.object { writer in
          if !users.isEmpty { writer.member("users", list: users) { Self.write($1, fields, to: &$0) } }
          if !included.isEmpty {
            writer.member(quirks.usesNewNames ? "posts" : "tweets", list: included) { writer, post in
              posts.write(PostVersion(id: post.id, post: post), to: &writer)
            }
          }
          if !media.isEmpty { writer.member("media", list: media) { V2MediaWriter.write($1, fields, to: &$0) } }
        }
      }
      if quirks.losesReferences, !referenced.isEmpty { writer.member("errors", list: referenced, writeError) }
      writer.name("meta")
      writer.object { writer in
        writer.member("result_count", max(0, versions.count + quirks.countError))
        if let newest = versions.first, let oldest = versions.last {
          writer.member("newest_id", String(newest.id))
          writer.member("oldest_id", String(oldest.id))
        }
        if let nextToken { writer.member("next_token", nextToken) }
      }
    }
    return Page(json: writer.bytes, posts: versions.count + included.count)
  }

  static func write(_ author: Author, _ fields: V2Query.Fields, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", String(author.id))
      writer.member("name", author.name)
      writer.member("username", author.screenName)
      if fields.user.contains("profile_image_url") {
        writer.member("profile_image_url", "https://img.example/avatars/\(author.screenName)_normal.png")
      }
    }
  }

  /// Returns the posts that the page refers to, each once, in order of reference.
  private func references(of versions: [PostVersion]) -> [SandboxPost] {
    var seen: Set<UInt64> = []
    return versions.flatMap { version -> [SandboxPost] in
      let reply = version.post.reply.flatMap { timeline.post(withID: $0.id) }
      let companion: SandboxPost? =
        switch version.post.companion {
        case .none: nil
        case .reposted(let post), .quoted(let post, _): post
        }
      return [reply, companion].compactMap { $0 }
    }.filter { seen.insert($0.id).inserted }
  }

  private func authors(of versions: [PostVersion], and included: [SandboxPost]) -> [Author] {
    let own = fields.expands("author_id") ? versions.map(\.post.author) : []
    let others = fields.expands("referenced_tweets.id.author_id") ? included.map(\.author) : []
    var seen: Set<Int64> = []
    return (own + others).filter { seen.insert($0.id).inserted }
  }

  private func shown(_ versions: [PostVersion], and included: [SandboxPost]) -> [SandboxPost.Attachment] {
    (versions.map(\.post) + included).flatMap(\.attachments)
  }

  private func writeError(to writer: inout JSONWriter, _ post: SandboxPost) {
    let parameter = quirks.usesNewNames ? "referenced_posts.id" : "referenced_tweets.id"
    writer.object { writer in
      writer.member("resource_id", String(post.id))
      writer.member("resource_type", quirks.usesNewNames ? "post" : "tweet")
      writer.member("title", "Not Found Error")
      writer.member("detail", "Could not find post with \(parameter): [\(post.id)].")
      writer.member("parameter", parameter)
      writer.member("value", String(post.id))
      writer.member("type", "https://api.twitter.com/2/problems/resource-not-found")
    }
  }
}
