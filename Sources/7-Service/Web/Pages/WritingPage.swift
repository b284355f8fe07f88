internal import Attachments
internal import ControlProtocol
internal import Formats
internal import HTTP
internal import Platform
internal import Posting
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// `/post`: writes a post. The owner checks and sends it, as for `homeline post`.
struct WritingPage: Sendable {
  let data: WebData
  let changes: WebChanges
  let drafts: DraftStore
  private let turns = FormTurns()

  init(data: WebData, changes: WebChanges, drafts: DraftStore) {
    self.data = data
    self.changes = changes
    self.drafts = drafts
  }

  var routes: [Route] {
    [
      .get("/post") { [self] (request) throws(WebError) in try page(for: request) },
      .post("/post", Route.Upload(folder: drafts.folder, limit: DraftFormReader.sizeLimit) { [self] in keep($0) }) {
        [self] (request, reply) throws(WebError) in try receive(request, reply)
      },
    ]
  }

  // MARK: The empty form, and a kept draft

  private func page(for request: WebRequest) throws(WebError) -> WebResponse {
    try request.query.check(names: ["account", "reply", "draft"])
    drafts.clean()
    guard let text = request.query["draft"] else {
      // The address has the id, so that Back leads to the form with the same one.
      let address = request.query.values.reduce(WebAddress("post")) { $0.with($1.name, $1.value) }
      return .redirect(to: address.with("draft", try DraftID.make().text))
    }
    guard let id = DraftID(text) else { throw .noDraft }
    if drafts.isUnderWay(id) { return Self.sending(id) }
    if let draft = drafts.draft(id) {
      if draft.sentBy != nil { return Self.repeated(id) }
      return .page(try written(DraftForm(draft, in: data), showsErrors: false))
    }
    var draft = WebDraft(id: id, at: data.clock.now)
    let accounts = DraftForm.accounts(in: data.configuration)
    draft.typed[.account] = request.query["account"] ?? (accounts.count == 1 ? accounts[0].name.text : "")
    draft.typed[.reply] = request.query["reply"]
    return .page(try written(DraftForm(draft, in: data), showsErrors: false))
  }

  /// Returns the page with the form.
  /// - Parameter message: what is said above the form.
  private func written(
    _ form: DraftForm, showsErrors: Bool = true, _ status: StatusCode = .ok, _ message: Markup = ""
  ) throws(WebError) -> WebPage {
    // What was begun is offered to somebody who begins, but does not come between a post and its reply.
    let begins = form.draft.isEmpty && form.draft[.reply].isEmpty
    let others = begins ? drafts.written.filter { $0.id != form.draft.id } : []
    let markup = DraftFormMarkup(form, in: data, showsErrors: showsErrors, answered: answered(form.draft))
    let title = form.draft[.reply].isEmpty ? "Write" : "Reply"
    var page = WebPage(title, at: .write, message + KeptDrafts(others, at: data.clock.now).html + markup.html)
    page.status = status
    return page
  }

  /// Returns the post that a draft replies to; nil if it is not stored, or if the archive cannot be read, which must not keep anybody from
  /// writing.
  private func answered(_ draft: WebDraft) -> PublishedPost? {
    guard !draft[.reply].isEmpty, let account = AccountName(draft[.account]) else { return nil }
    let found = try? WebArchives(data: data).read(account) { archive throws(StorageError) in
      try Conversation.post(PostID(draft[.reply]), of: account, in: archive)
    }
    return found ?? nil
  }

  // MARK: What a browser sends

  private func receive(_ request: WebRequest, _ reply: WebReply) throws(WebError) {
    guard request.content.isMultipart else {
      guard !request.wants(part: PostCount.part) else {
        return PostCount(data: data, changes: changes).count(request.form, reply)
      }
      return try resume(request.form, reply)
    }
    let id = try DraftFormReader.draftID(in: request.content)
    turns.run(id) { end in
      handle(id, reply, end, again: { (sent) throws(WebError) in try differing(request.content, from: sent) }) {
        () throws(WebError) in try store(request.content, in: id)
      }
    }
  }

  /// Continues with a kept draft: the user has agreed to its cost, or that the server may ignore some of it.
  private func resume(_ form: WebQuery, _ reply: WebReply) throws(WebError) {
    guard let id = form["draft"].flatMap({ DraftID($0) }) else { throw .noDraft }
    turns.run(id) { end in
      handle(id, reply, end) { () throws(WebError) in
        guard let draft = drafts.draft(id) else { throw .noDraft }
        return Received(form: DraftForm(draft, in: data), fields: Dictionary(form.values) { first, _ in first })
      }
    }
  }

  struct Received {
    var form: DraftForm
    /// The values of all fields, by name.
    var fields: [String: String]
    /// The status of a page with the form.
    var status = StatusCode(422)
  }

  /// Handles a form in its turn.
  /// - Parameter again: answers a form that was sent before; nil for the usual answer.
  private func handle(
    _ id: DraftID, _ reply: WebReply, _ end: @escaping FormTurns.End,
    again: @escaping @Sendable (WebDraft) throws(WebError) -> WebResponse? = { _ in nil },
    _ receive: @escaping @Sendable () throws(WebError) -> Received
  ) {
    let finish = { @Sendable (make: @escaping @Sendable () throws(WebError) -> WebResponse) in
      reply { () throws(WebError) in
        defer { end() }
        return try make()
      }
    }
    // What was sent stays as it is, and so does what is being sent.
    let isUnderWay = drafts.isUnderWay(id)
    if let sent = drafts.draft(id), isUnderWay || sent.sentBy != nil {
      return finish { () throws(WebError) in
        try again(sent) ?? (isUnderWay ? Self.sending(id) : Self.repeated(id))
      }
    }
    do throws(WebError) {
      let received = try receive()
      try act(received, finish)
    } catch { finish { () throws(WebError) in throw error } }
  }

  private typealias Finish = @Sendable (@escaping @Sendable () throws(WebError) -> WebResponse) -> Void

  private func act(_ received: Received, _ finish: @escaping Finish) throws(WebError) {
    let (form, draft) = (received.form, received.form.draft)
    let action = received.fields["do"] ?? ""
    let address = WebAddress("post").with("draft", draft.id.text)
    switch action {
    case "discard":
      drafts.remove(draft.id)
      finish { .redirect(to: WebAddress("post")) }
    // The form may have come without its last fields.
    case _ where !form.objections.isEmpty: finish { () throws(WebError) in .page(try written(form, received.status)) }
    case "add" where form.problems.isEmpty && !draft.isEmpty,
      _ where WebDraft.slots.contains { action == "remove-\($0)" }:
      finish { .redirect(to: draft.isEmpty ? WebAddress("post") : address) }
    case "add": finish { () throws(WebError) in .page(try written(form, received.status)) }
    case "check", "post":
      guard form.isCorrect else {
        return finish { () throws(WebError) in .page(try written(form, received.status)) }
      }
      let isDryRun = action == "check"
      let agreed = [PostQuestion.confirmed, PostQuestion.trust].filter { received.fields[$0] != nil }
      if !isDryRun { drafts.postBegan(draft.id) }
      changes.carryOut(
        form.request(
          drafts, isDryRun: isDryRun, isConfirmed: agreed.contains(PostQuestion.confirmed),
          trustsServer: agreed.contains(PostQuestion.trust)),
        ended: { [drafts] in if !isDryRun { drafts.postEnded(draft.id) } }
      ) { outcome in
        finish { () throws(WebError) in try isDryRun ? checked(form, outcome) : sent(form, outcome, agreed) }
      }
    default: throw WebError(.badRequest, "This is no action", "Use the buttons of the page.", way: .write)
    }
  }

  /// Keeps a text that differs from the one that the same form has sent, such as after Back, as another draft.
  /// - Returns: the page with that draft; nil if the text is the same, or none.
  private func differing(_ content: WebContent, from sent: WebDraft) throws(WebError) -> WebResponse? {
    let text = try DraftFormReader(fieldsOf: content).fields["text"] ?? ""
    guard !text.allSatisfy(\.isWhitespace), sent.differs(from: text) else { return nil }
    var received = try store(content, in: try DraftID.make())
    received.form.objections.insert(
      "This form was sent before, with another text. This text has not been sent: it is a new draft now.", at: 0)
    return .page(try written(received.form, .conflict))
  }

  /// Stores what a browser has sent.
  func store(_ content: WebContent, in id: DraftID) throws(WebError) -> Received {
    let reader = try DraftFormReader(content, into: id, of: drafts)
    let former = drafts.draft(id)
    var draft = WebDraft(id: id, at: data.clock.now)
    var problems = reader.problems
    for field in WebDraft.Field.allCases {
      draft.typed[field] = reader.fields[field.rawValue] ?? (reader.isComplete ? nil : former?.typed[field])
    }
    let removed = reader.fields["do"]
    for slot in WebDraft.slots {
      var file = reader.files.first { $0.slot == slot }
      if let new = file, let problem = problem(of: new, in: id) {
        problems[slot] = problem
        file = nil
      } else if file == nil, problems[slot] == nil, reader.fields["kept-\(slot)"] != nil || !reader.isComplete {
        file = former?.files.first { $0.slot == slot }
      }
      if removed == "remove-\(slot)" { file = nil }
      if var file {
        file.description = (reader.fields["alt-\(slot)"] ?? "").trimmed
        draft.files.append(file)
      } else {
        drafts.removeFile(slot, of: id)
      }
    }
    var received = Received(form: DraftForm(draft, in: data), fields: reader.fields)
    received.form.problems.merge(problems) { _, new in new }
    for slot in WebDraft.slots { received.form.descriptions[slot] = reader.fields["alt-\(slot)"] }
    if reader.lacksSpace { received.form.objections.append(Self.lackOfSpace) }
    if let refusal = reader.refusal { received.form.objections.append(Self.objection(refusal)) }
    do throws(SystemError) {
      if !draft.isEmpty { try drafts.save(draft) }
    } catch {
      received.form.objections.append(error.isOutOfSpace ? Self.lackOfSpace : "The draft could not be kept: \(error).")
    }
    if !received.form.objections.isEmpty { received.status = reader.refusal?.status ?? .insufficientStorage }
    return received
  }

  private static let lackOfSpace =
    "There is too little free disk space for the files. Free some, then choose the files again."

  /// Returns what the user can do about a form that arrived without its files.
  private static func objection(_ refusal: RequestError) -> String {
    switch refusal.status {
    case .contentTooLarge: "The files are too large. Choose smaller ones, or use homeline post in a terminal."
    case .insufficientStorage: lackOfSpace
    default: "The files could not be stored. Run homeline doctor in a terminal, then choose them again."
    }
  }

  /// Returns what is wrong with a file, in sentences; nil if it can be sent.
  private func problem(of file: WebDraft.File, in id: DraftID) -> String? {
    let path = drafts.path(of: file.slot, in: id)
    do throws(AttachmentError) {
      _ = try PostAttachment(path)
      return nil
    } catch {
      // The user knows the file by its name.
      let advice = error.hint == nil ? "" : " To send it unchanged, use homeline post with --keep-metadata."
      return error.message.sentence.replacing(path, with: file.name) + advice
    }
  }

  /// Keeps what a browser without a session has sent, and returns the advice for its page. It comes from this user, who alone can connect to
  /// loopback, and from our own page, because its browser has named our origin.
  private func keep(_ request: WebRequest) -> [String] {
    guard request.content.isMultipart, let id = try? DraftFormReader.draftID(in: request.content) else { return [] }
    let advice = Locked<[String]>([])
    // A form that is being sent needs nothing.
    turns.run(id) { end in
      defer { end() }
      guard !drafts.isUnderWay(id), drafts.draft(id)?.sentBy == nil, let received = try? store(request.content, in: id)
      else { return }
      guard drafts.draft(id) != nil else { return }
      let exception = received.form.objections.isEmpty ? "" : ", without the files"
      advice.withLock {
        $0 = ["What you wrote is kept for a day\(exception): once you have entered, open “Write”."]
      }
    }
    return advice.withLock { $0 }
  }

  // MARK: What became of it

  private func checked(_ form: DraftForm, _ outcome: WebChanges.Outcome) throws(WebError) -> WebResponse {
    guard let post = outcome.events.lazy.compactMap({ $0 as? CheckedPostEvent }).last else {
      return try refused(form, outcome)
    }
    let length = PostCount.text(of: post).map { "\($0). " as Markup } ?? ""
    let cost = form.cost.map { " It costs \(MicroUSD.text($0)) USD." as Markup } ?? ""
    let message: Markup =
      "<section class=\"notice good\" role=\"status\"><p>\(length)The post can be published as \(PageText.isolated(post.author)).\(cost)</p></section>\n"
    return .page(try written(form, .ok, message))
  }

  /// The response to a form that was sent before.
  private static func repeated(_ id: DraftID) -> WebResponse { .redirect(to: .outbox(.repeat, at: id.intent.text)) }

  /// The response to a form whose post takes longer than a page waits.
  private static func sending(_ id: DraftID) -> WebResponse { .redirect(to: .outbox(.sending, at: id.intent.text)) }

  /// - Parameter agreed: what the user has agreed to; see ``PostQuestion``.
  private func sent(
    _ form: DraftForm, _ outcome: WebChanges.Outcome, _ agreed: [String]
  ) throws(WebError) -> WebResponse {
    if let post = outcome.events.lazy.compactMap({ $0 as? OutboxEvent }).last {
      drafts.markSent(form.draft, by: post.account)
      return .redirect(to: .outbox(OutboxStatus(post), at: post.id))
    }
    switch outcome.end {
    // The post is stored or will be, and the outbox then shows it.
    case .underWay: return Self.sending(form.draft.id)
    case .response(.end(let end)) where end.question != nil:
      return .page(PostQuestion(form, end, agreed: agreed).page)
    default: return try refused(form, outcome)
    }
  }

  private func refused(_ form: DraftForm, _ outcome: WebChanges.Outcome) throws(WebError) -> WebResponse {
    let failure = outcome.failure(at: data.clock.now)
    var form = form
    let sentences = failure?.advice ?? ["The service gave no result. Try again."]
    form.errors[.text] = sentences.map { form.sentence($0, drafts) }.joined(separator: " ")
    return .page(try written(form, failure?.status ?? .internalServerError))
  }
}

extension WebError {
  fileprivate static let noDraft = WebError(
    .notFound, "This draft is not kept", "It was discarded, or is older than a day.", way: .write)
}

extension WebError.Way {
  static let write = WebError.Way(WebAddress("post"), "Write a post")
}

extension DraftForm {
  /// The cost of the post in millionths of a US dollar; nil if it is free.
  var cost: Int64? {
    account?.prices?.writing.cost(
      ofPostWithLink: TextLinks.mayBe(in: draft[.text]), descriptions: draft.files.count { !$0.description.isEmpty })
  }
}
