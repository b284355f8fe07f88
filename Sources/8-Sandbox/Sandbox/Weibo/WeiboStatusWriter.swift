internal import JSON
internal import Time

/// Writes posts as Weibo does.
struct WeiboStatusWriter: Sendable {
  private static let source = "<a href=\"http://app.example/\" rel=\"nofollow\">The sandbox</a>"
  private static let deletedText = "抱歉，此微博已被作者删除。查看帮助：http://t.cn/sandbox"

  let quirks: WeiboQuirks
  /// Whether users are written as ids only.
  let trimsUsers: Bool

  func write(_ post: SandboxPost, to writer: inout JSONWriter) {
    if Self.isNth(quirks.deletesPosts, post.id) {
      writeDeleted(post, to: &writer)
    } else {
      write(post, withUser: !Self.isNth(quirks.omitsUsers, post.id), to: &writer)
    }
  }

  private func write(_ post: SandboxPost, withUser: Bool, to writer: inout JSONWriter) {
    let text = WeiboText(post)
    writer.object { writer in
      writeHead(post, to: &writer)
      writer.member("text", text.text)
      writer.member("textLength", text.text.count)
      writer.member("source", Self.source)
      for name in ["favorited", "truncated"] { writer.member(name, false) }
      writeReply(of: post, to: &writer)
      writePictures(of: post, to: &writer)
      writer.member("geo", String?.none)
      if withUser { writeUser(post.author, to: &writer) }
      if let original = post.original {
        writer.name("retweeted_status")
        if Self.isNth(quirks.deletesOriginals, post.id) {
          writeDeleted(original, to: &writer)
        } else {
          write(original, withUser: true, to: &writer)
        }
      }
      writer.member("reposts_count", post.reposts)
      writer.member("comments_count", post.likes / 3)
      writer.member("attitudes_count", post.likes)
      writer.member("isLongText", text.isCut)
      writer.member("mlevel", 0)
      writer.name("visible")
      writer.object { writer in
        writer.member("type", 0)
        writer.member("list_id", 0)
      }
    }
  }

  private func writeHead(_ post: SandboxPost, to writer: inout JSONWriter) {
    writer.member("created_at", post.createdAt.weiboDate)
    writer.member("id", post.id)
    writer.member("mid", String(post.id))
    writer.member("idstr", String(post.id))
  }

  private func writeUser(_ author: Author, to writer: inout JSONWriter) {
    if trimsUsers {
      writer.member("uid", author.id)
    } else {
      writer.name("user")
      WeiboUserWriter.write(author, to: &writer)
    }
  }

  /// Writes the placeholder for a post that its author has deleted.
  private func writeDeleted(_ post: SandboxPost, to writer: inout JSONWriter) {
    writer.object { writer in
      writeHead(post, to: &writer)
      writer.member("text", Self.deletedText)
      writer.member("deleted", "1")
    }
  }

  private func writeReply(of post: SandboxPost, to writer: inout JSONWriter) {
    writer.member("in_reply_to_status_id", post.reply.map { String($0.id) } ?? "")
    writer.member("in_reply_to_user_id", post.reply.map { String($0.to.id) } ?? "")
    writer.member("in_reply_to_screen_name", post.reply?.to.screenName ?? "")
  }

  private func writePictures(of post: SandboxPost, to writer: inout JSONWriter) {
    let keys = post.attachments.filter { !$0.isVideo }.map(\.key)
    writer.member("pic_urls", list: keys) { writer, key in
      writer.object { $0.member("thumbnail_pic", Self.picture(key, "thumbnail")) }
    }
    guard let first = keys.first else { return }
    writer.member("thumbnail_pic", Self.picture(first, "thumbnail"))
    writer.member("bmiddle_pic", Self.picture(first, "bmiddle"))
    writer.member("original_pic", Self.picture(first, "large"))
  }

  private static func picture(_ key: String, _ size: String) -> String { "http://img.example/\(size)/\(key).png" }

  private static func isNth(_ every: Int?, _ id: UInt64) -> Bool {
    guard let every, every > 0 else { return false }
    return (id >> 22) % UInt64(every) == 0
  }
}
