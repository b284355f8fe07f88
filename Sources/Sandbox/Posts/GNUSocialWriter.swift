internal import CivilTime
internal import JSON

/// Writes posts as GNU social 2.0 does: numeric ids alone, the text as its author typed it, no address but a `tag:` URI.
enum GNUSocialWriter {
  static func json(_ posts: [SandboxPost]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in for post in posts { write(post, to: &writer) } }
    return writer.bytes
  }

  private static func write(_ post: SandboxPost, to writer: inout JSONWriter) {
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
      writer.member("is_post_verb", true)
      writer.member("is_local", true)
    }
  }
}
