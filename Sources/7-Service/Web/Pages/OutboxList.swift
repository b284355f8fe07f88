internal import ControlProtocol
internal import Formats
internal import HTTP
internal import Settings
internal import Time
internal import Timeline

/// The posts in the outbox, the newest first, each with its state and buttons.
struct OutboxList {
  private let posts: [OutboxEvent]
  private let notices: [String]
  private let time: PageTime
  private let now: Timestamp

  init(_ events: [any ControlEvent], at now: Timestamp) {
    posts = events.compactMap { $0 as? OutboxEvent }.reversed()
    notices = events.compactMap { ($0 as? NoticeEvent)?.message }.filter { $0 != OutboxRequest.emptiness }
    time = PageTime(now: now)
    self.now = now
  }

  var html: Markup {
    var html: Markup = "<div id=\"outbox\">\n"
    html += notices.map { "<section class=\"notice\"><p>\($0.sentence)</p></section>\n" as Markup }.joined()
    if posts.isEmpty {
      html += "<p>There are no posts in the outbox. <a href=\"\(WebAddress("post").text)\">Write one</a></p>\n"
    } else {
      html += "<ul class=\"rows outbox\">\n\(posts.map(row).joined())</ul>\n"
    }
    return html + "</div>\n"
  }

  private func row(_ post: OutboxEvent) -> Markup {
    let text: Markup =
      post.text.allSatisfy(\.isWhitespace)
      ? "<p class=\"soft\">without text</p>" : "<p class=\"text\" dir=\"auto\">\(post.text)</p>"
    let reason: Markup = post.message.map { "<p class=\"trouble\">\($0.sentence)</p>\n" } ?? ""
    return """
      <li id="\(post.id)">\(text)
      <p class="fact">\(PageText.isolated(post.account)): \(state(post))</p>
      \(reason)\(form(post))</li>

      """
  }

  private func state(_ post: OutboxEvent) -> Markup {
    let next: Markup = post.waitsUntil.flatMap { $0 > now ? ", next attempt \(time.clock($0))" : nil } ?? ""
    switch post.state {
    case .queued:
      let planned: Markup? = post.message == nil ? post.postAt.map { "waits until \(time.clock($0))" } : nil
      return planned ?? "waits\(next)"
    case .uploading: return "sending its files\(next)"
    case .sending: return "not yet known whether it was published\(next)"
    case .posted: return "published\(link(post))"
    case .refused: return "not published"
    case .unknown: return "may have been published. Look at your timeline before you send it again"
    case .discarded: return "removed"
    }
  }

  private func link(_ post: OutboxEvent) -> Markup {
    guard let id = post.post, let account = AccountName(post.account),
      let address = WebAddress.post(PostID(id), of: account)
    else { return "" }
    return ". <a href=\"\(address.text)\">Show it</a>"
  }

  private func form(_ post: OutboxEvent) -> Markup {
    let retry: Markup
    switch post.state {
    case .refused, .unknown: retry = button("retry", "Send again", post)
    case .queued where post.message != nil, .uploading where post.message != nil:
      retry = button("retry", "Try now", post)
    default: retry = ""
    }
    // A post that was published stays published, and its entry goes by itself.
    let discard: Markup =
      switch post.state {
      case .posted, .discarded: ""
      default: button("discard", "Discard", post)
      }
    if retry.isEmpty, discard.isEmpty { return "" }
    return """
      <form class="buttons" method="post" action="/outbox"><input type="hidden" name="account" value="\(post.account)">\
      <input type="hidden" name="id" value="\(post.id)">\(retry)\(discard)</form>

      """
  }

  private func button(_ action: Markup, _ label: Markup, _ post: OutboxEvent) -> Markup {
    "<button name=\"do\" value=\"\(action)\">\(label)<span class=\"unseen\"> \(post.id)</span></button>\n"
  }
}
