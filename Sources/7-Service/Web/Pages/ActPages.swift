internal import Bytes
internal import ControlProtocol
internal import Formats
internal import HTTP
internal import Posting
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// `/act`: carries out what a button below a post says, and leads back to the post. The script gets the post alone (`part=posts`).
struct ActPages: Sendable {
  let data: WebData
  let changes: WebChanges
  let own: OwnActs

  var routes: [Route] {
    [
      .post("/act") { [self] (request, reply) throws(WebError) in
        let isPart = request.form["part"] == PostsPart.name
        do throws(WebError) {
          let form = try ActForm(request.form.adding(request.query), in: data.configuration)
          if form.act == .delete, !form.isConfirmed {
            return reply { () throws(WebError) in try question(form, isPart) }
          }
          start(form, isPart, reply)
        } catch {
          if !isPart { throw error }
          reply { .part(Self.html(of: error), status: error.status) }
        }
      }
    ]
  }

  private func start(_ form: ActForm, _ isPart: Bool, _ reply: WebReply) {
    let completion = { @Sendable (outcome: WebChanges.Outcome) in
      reply { () throws(WebError) in
        if let failure = failure(outcome, form) {
          if isPart { return .part(Self.html(of: failure), status: failure.status) }
          throw failure
        }
        return try response(form, outcome, isPart)
      }
    }
    let account = form.account.name.text
    if let action = form.act.action {
      changes.carryOut(
        PostActionRequest(account: account, action: action.kind.rawValue, post: form.post.text, undo: action.isUndone),
        completion: completion)
    } else {
      changes.carryOut(
        MarkRequest(account: form.timeline?.description ?? account, upTo: form.entry.text), completion: completion)
    }
  }

  private func failure(_ outcome: WebChanges.Outcome, _ form: ActForm) -> WebError? {
    outcome.failure(at: data.clock.now).map { failure in
      WebError(
        outcome.end == .underWay ? form.act.delay : form.act.failure, failure,
        way: .back(form.back.at(anchor(of: form))))
    }
  }

  private func response(
    _ form: ActForm, _ outcome: WebChanges.Outcome, _ isPart: Bool
  ) throws(WebError) -> WebResponse {
    let account = form.account.name
    if let action = form.act.action { own.note(action, on: form.post, of: account) }
    let event = outcome.events.lazy.compactMap { $0 as? PostActionEvent }.first
    let message = form.act.message(wasAlready: event?.wasAlready ?? false)
    if isPart { return .part(try post(form, hasForm: true) + message.html) }
    let page = form.back.with(WebQuery.message, message.rawValue)
    guard form.act == .delete else { return .redirect(to: page.at(anchor(of: form))) }
    // The page of a deleted post is gone.
    let isOwnPage = form.back == WebAddress.post(form.post, of: account)
    return .redirect(
      to: isOwnPage ? .timeline(.home(of: account)).with(WebQuery.message, message.rawValue) : page)
  }

  // MARK: Deleting

  /// The page that asks before a post is deleted.
  private func question(_ form: ActForm, _ isPart: Bool) throws(WebError) -> WebResponse {
    if isPart {
      let error = WebError(
        .badRequest, "A post is not deleted without a question", "Use the button without the script.")
      return .part(Self.html(of: error), status: error.status)
    }
    let post = try post(form, hasForm: false)
    let server = form.account.server.map { " from \($0.origin)" } ?? " from its server"
    let back = form.back.at(anchor(of: form))
    return .page(
      WebPage(
        "Delete this post?",
        """
        <p>Deleting removes the post\(server) and from this archive. It cannot be undone.</p>
        \(PageIcons.html)<div class="posts">
        \(post)</div>
        <form class="buttons" method="post" action="\(PostForms.address.text)">\
        \(PostForms.hidden("account", form.account.name.text))\(PostForms.hidden("post", form.post.text))\
        \(PostForms.hidden("back", form.back.text))\(PostForms.hidden("sure", "yes"))\
        <button name="do" value="\(PostAct.delete.rawValue)">Delete</button> <a href="\(back.text)">Keep it</a></form>

        """))
  }

  // MARK: The post

  /// Returns the form's post as on its page; empty if it is not stored any more.
  private func post(_ form: ActForm, hasForm: Bool) throws(WebError) -> Markup {
    let account = form.account.name
    let timeline = form.timeline?.timeline ?? .home
    let found = try WebArchives(data: data).read(account) { archive throws(StorageError) -> PublishedPost? in
      let inTimeline = try archive.post(form.entry, in: .timeline(timeline))
      let stored = if let inTimeline { inTimeline } else { try archive.post(form.post, in: .everything) }
      guard let stored, let post = try? PostJSON.read(stored.json) else { return nil }
      let mark = try archive.state()[timeline].readUpTo
      let isUnread = form.timeline != nil && inTimeline != nil && mark.map { $0 < stored.mark } ?? true
      return PublishedPost(post: post, json: stored.json, account: account.text, isUnread: isUnread)
    }
    guard let item = found ?? nil else { return "" }
    let isOfOneAccount = form.back.isOfOneAccount
    let forms = PostForms(for: [item], in: data, own, back: form.back, namesTimelines: !isOfOneAccount) { _ in
      form.timeline
    }
    let options = PagePostOptions(for: [item], in: data, hasForm ? forms : nil)
    return PagePost(
      account: isOfOneAccount ? account.text : nil, at: PageTime(now: data.clock.now), PageThread([item]), options
    ).html(of: item)
  }

  /// The id of the post's element on its page.
  private func anchor(of form: ActForm) -> String {
    let notice = form.entry == form.post ? nil : Notice(id: form.entry, kind: "", at: data.clock.now)
    return PageAnchor.name(
      of: PublishedPost(
        post: Post(id: form.post, createdAt: data.clock.now, author: .unknown, text: "", notice: notice), json: [],
        account: form.account.name.text, isUnread: false))
  }

  /// An error for the script, which announces it beside the post.
  private static func html(of error: WebError) -> Markup {
    "<p class=\"said\" role=\"status\">\((["\(error.title)."] + error.advice).joined(separator: " "))</p>\n"
  }
}
