internal import Formats
internal import HTTP
internal import Providers
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// `/a/NAME/p/ID`: a post in its conversation, with its earlier versions.
struct ThreadPage: Sendable {
  let data: WebData
  let own: OwnActs

  var routes: [Route] {
    [
      .get("/a/{account}/p/{id}") { [self] (request) throws(WebError) in
        try request.query.check(names: [], part: PostsPart.name)
        let archives = WebArchives(data: data)
        let account = try archives.account(named: request[parameter: "account"])
        let id = PostID(request[parameter: "id"])
        let provider = data.configuration[account]?.postingProvider
        let found = try archives.read(account) { archive throws(StorageError) in
          try Conversation(id, of: account, in: archive) { provider?.repostedID(in: $0).map { PostID($0) } }
        }
        guard let conversation = found ?? nil else {
          throw WebError(
            .notFound, "This post is not in the archive", "It was never stored, or it was deleted in the meantime.",
            way: WebError.Way(.timeline(.home(of: account)), "The account \(account)"))
        }
        let content = html(of: conversation, account, back: request.back)
        return request.wants(part: PostsPart.name) ? .part(content) : .page(WebPage(title(conversation), content))
      }
    ]
  }

  /// The title names the author, but contains nothing of the text: a window's title is seen by other programs.
  private func title(_ conversation: Conversation) -> String {
    "Post by \(PageName.shown(conversation.post.post.author))"
  }

  private func html(of conversation: Conversation, _ account: AccountName, back: WebAddress) -> Markup {
    let all = conversation.above + [conversation.post] + conversation.below.map(\.post)
    let time = PageTime(now: data.clock.now)
    let (id, home) = (conversation.post.post.id, conversation.isInHome ? TimelineKey.home(of: account) : nil)
    let forms = PostForms(for: all, in: data, own, back: back) { $0.post.id == id ? home : nil }
    let post = PagePost(
      account: account.text, at: time, PageThread(all), PagePostOptions(for: all, in: data, forms))
    var html = PageIcons.html
    if !conversation.above.isEmpty || conversation.goesOnAbove {
      html += "<h2>In reply to</h2>\n<div class=\"posts\">\n"
      if conversation.goesOnAbove { html += "<p class=\"end\">Earlier posts of this conversation are not shown.</p>\n" }
      html += conversation.above.map { post.html(of: $0) }.joined() + "</div>\n"
    }
    html += "<h2>This post</h2>\n<div class=\"posts current\">\n\(post.html(of: conversation.post))</div>\n"
    html += edits(of: conversation, time)
    html += "<h2>Replies</h2>\n"
    if conversation.below.isEmpty {
      html += "<p>No replies are stored.</p>\n"
    } else {
      let replies = conversation.below.map { reply -> Markup in
        // Deeper replies are not indented further, so that they stay readable on a phone.
        let depth = min(reply.depth, Self.deepest)
        return "<div class=\"depth\(depth)\">\n\(post.html(of: reply.post))</div>\n"
      }
      html += "<div class=\"posts\">\n\(replies.joined())</div>\n"
    }
    if conversation.goesOnBelow {
      html += """
        <p class="end">These are the \(Conversation.mostReplies) oldest replies. The page of a reply shows later ones.</p>

        """
    }
    let reach = PageCounts.grouped(Conversation.reach)
    return html
      + "<p class=\"end\">Replies were looked for among the \(reach) posts that are stored after this one.</p>\n"
  }

  private static let deepest = 4

  private func edits(of conversation: Conversation, _ time: PageTime) -> Markup {
    if conversation.edits.isEmpty { return "" }
    let versions = conversation.edits.reversed().map { edit -> Markup in
      """
      <li><p class="until">until \(time.clock(edit.until))</p>
      <div class="text" dir="auto" lang="">\(LinkedText.html(of: edit.text))</div></li>

      """
    }
    return "<h2>Earlier versions</h2>\n<ol class=\"versions\" reversed>\n\(versions.joined())</ol>\n"
  }
}
