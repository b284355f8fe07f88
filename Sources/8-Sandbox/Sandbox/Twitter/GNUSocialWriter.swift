internal import HTTP
internal import JSON
internal import Time

/// Writes posts as GNU social 2.0 does: only numeric ids, text without escapes, and a `tag:` URI as the only address.
enum GNUSocialWriter {
  static func json(_ posts: [SandboxPost]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in for post in posts { write(post, to: &writer) } }
    return writer.bytes
  }

  /// Returns the site configuration. The limit is a string.
  static func configuration() -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("site")
      writer.object { writer in
        writer.member("name", "The sandbox")
        writer.member("textlimit", String(TwitterPublications.longestOfGNUSocial))
      }
    }
    return Response(json: writer.bytes)
  }

  /// Returns a single post.
  static func json(_ post: SandboxPost, _ state: UserState = UserState()) -> [UInt8] {
    var writer = JSONWriter()
    write(post, state, to: &writer)
    return writer.bytes
  }

  private static func write(
    _ post: SandboxPost, _ state: UserState = UserState(), to writer: inout JSONWriter
  ) {
    let text = PostText(post.pieces)
    writer.object { writer in
      writer.member("text", text.unescaped)
      writer.member("truncated", false)
      writer.member("created_at", post.createdAt.twitterDate)
      writer.member("in_reply_to_status_id", post.reply?.id)
      writer.member("uri", "tag:social.example,2026:noticeId=\(post.id):objectType=note")
      writer.member("source", "web")
      writer.member("id", post.id)
      writer.member("in_reply_to_user_id", post.reply?.to.id)
      writer.member("in_reply_to_screen_name", post.reply?.to.screenName)
      writer.member("geo", String?.none)
      writer.name("user")
      writer.raw(UserWriter.json(post.author))
      if case .reposted(let original) = post.companion {
        writer.name("retweeted_status")
        write(original, to: &writer)
      }
      writer.member("statusnet_html", text.text)
      writer.member("statusnet_conversation_id", post.id)
      writer.member("statusnet_in_groups", false)
      writer.member("fave_num", post.likes)
      writer.member("repeat_num", post.reposts)
      writer.member("favorited", state.isLiked)
      writer.member("repeated", state.repost != nil)
      if let repost = state.repost { writer.member("repeated_id", repost) }
      writer.member("is_post_verb", true)
      writer.member("is_local", true)
    }
  }
}
