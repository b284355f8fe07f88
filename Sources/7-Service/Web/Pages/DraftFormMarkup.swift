internal import Formats
internal import HTTP
internal import Posting
internal import Settings
internal import Time
internal import Timeline

/// The form of a post, filled with what was typed. Each error is beside its field.
struct DraftFormMarkup {
  private let form: DraftForm
  private let data: WebData
  private let showsErrors: Bool
  /// The post that this one replies to; nil if it is not stored.
  private let answered: PublishedPost?

  init(_ form: DraftForm, in data: WebData, showsErrors: Bool, answered: PublishedPost?) {
    self.form = form
    self.data = data
    self.showsErrors = showsErrors
    self.answered = answered
  }

  private var draft: WebDraft { form.draft }

  /// The first button is the one that Enter in a field presses. It is disabled, so that nothing is sent or removed by mistake.
  var html: Markup {
    let accounts = DraftForm.accounts(in: data.configuration)
    if accounts.isEmpty {
      return "<p>No account can post. To allow it, run <code>homeline login NAME --allow posting</code>.</p>\n"
    }
    return """
      \(context)\(objections)\
      <form class="write" method="post" action="/post" enctype="multipart/form-data">
      <input type="hidden" name="draft" value="\(draft.id.text)"><input type="hidden" name="reply" value="\(draft[.reply])">
      <button name="do" value="check" hidden disabled>Check</button>
      \(choice(of: accounts))\
      <p class="field"><label for="text">Text</label> \
      <textarea id="text" name="text" rows="8" dir="auto"\(reference(.text, "count"))>
      \(draft[.text])</textarea>\(error(.text))</p>
      \(PostCount.html("", isGood: true))\
      \(files)\
      <details class="more-fields"\(isOpen)><summary>Warning, visibility, language, time</summary>
      \(input(.warning, "Warning", " dir=\"auto\""))\
      \(visibility)\
      \(input(.language, "Language", " placeholder=\"en\" autocapitalize=\"none\" spellcheck=\"false\""))\
      \(time)\
      </details>
      <p class="buttons"><button class="main" name="do" value="post">Post</button> \
      <button name="do" value="check">Check</button> \
      <button name="do" value="discard">Discard</button></p>
      </form>

      """
  }

  /// The post that this one replies to.
  private var context: Markup {
    if draft[.reply].isEmpty { return "" }
    guard let answered else {
      return "<p>The post that you reply to (\(PageText.isolated(draft[.reply]))) is not stored.</p>\n"
    }
    let post = PagePost(
      account: draft[.account], at: PageTime(now: data.clock.now), PageThread([answered]),
      PagePostOptions(for: [answered], in: data, nil))
    return """
      \(PageIcons.html)<h2>In reply to</h2>
      <div class="posts">
      \(post.html(of: answered))</div>
      <h2>Your reply</h2>

      """
  }

  private var objections: Markup {
    form.objections.map { "<section class=\"notice\" role=\"alert\"><p>\($0)</p></section>\n" as Markup }.joined()
  }

  private func choice(of accounts: [AccountSettings]) -> Markup {
    // A reply belongs to the account that has the post.
    let isFixed = !draft[.reply].isEmpty && accounts.contains { $0.name.text == draft[.account] }
    let shown = isFixed ? accounts.filter { $0.name.text == draft[.account] } : accounts
    let options = shown.map { account -> Markup in
      let mark: Markup = account.name.text == draft[.account] ? " selected" : ""
      return "<option value=\"\(account.name.text)\"\(mark)>\(account.name.text)</option>\n"
    }
    let isChosen = shown.contains { $0.name.text == draft[.account] }
    let none: Markup = isChosen ? "" : "<option value=\"\">Choose an account</option>\n"
    return """
      <p class="field"><label for="account">As</label> <select id="account" name="account"\(reference(.account))>
      \(none)\(options.joined())</select>\(error(.account))</p>

      """
  }

  // MARK: Further fields

  private var isOpen: Markup {
    let fields: [WebDraft.Field] = [.warning, .visibility, .language, .time]
    return fields.contains { !draft[$0].isEmpty } ? " open" : ""
  }

  private func input(_ field: WebDraft.Field, _ label: Markup, _ more: Markup) -> Markup {
    let name = field.rawValue
    return """
      <p class="field"><label for="\(name)">\(label)</label> \
      <input id="\(name)" name="\(name)" type="text" value="\(draft[field])"\(more)\(reference(field))>\(error(field))</p>

      """
  }

  private var visibility: Markup {
    let choices: [(String, Markup)] = [
      ("", "as set on the server"), (PostVisibility.everyone.rawValue, "everyone"),
      (PostVisibility.unlisted.rawValue, "everyone, but not in public timelines"),
      (PostVisibility.followers.rawValue, "followers"), (PostVisibility.direct.rawValue, "mentioned users"),
    ]
    let options = choices.map { value, label -> Markup in
      let mark: Markup = value == draft[.visibility] ? " selected" : ""
      return "<option value=\"\(value)\"\(mark)>\(label)</option>\n"
    }
    return """
      <p class="field"><label for="visibility">Seen by</label> <select id="visibility" name="visibility"\(reference(.visibility))>
      \(options.joined())</select>\(error(.visibility))</p>

      """
  }

  private var time: Markup {
    """
    <p class="field"><label for="at">Not before</label> \
    <input id="at" name="at" type="datetime-local" value="\(draft[.time])"\(reference(.time, "time-zone"))>\(error(.time)) \
    <span class="hint" id="time-zone">in this computer's time zone, \(Self.zone(at: data.clock.now))</span></p>

    """
  }

  /// Returns the zone of the computer: `UTC`, `UTC+1` or `UTC-3:30`.
  private static func zone(at now: Timestamp) -> String {
    let minutes = (LocalZone.system.date(at: now).timestamp.seconds - now.seconds) / 60
    if minutes == 0 { return "UTC" }
    let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
    return "UTC\(minutes < 0 ? "−" : "+")\(hours)\(rest == 0 ? "" : rest < 10 ? ":0\(rest)" : ":\(rest)")"
  }

  // MARK: Files

  private var files: Markup {
    let rows = WebDraft.slots.map { slot in draft.files.first { $0.slot == slot }.map(kept) ?? place(slot) }
    let isOpen: Markup = draft.files.isEmpty && form.problems.isEmpty ? "" : " open"
    return """
      <details class="files"\(isOpen)><summary>Pictures, videos, sound</summary>
      \(rows.joined())\
      <p class="hint">All files together can have \(ByteCount.text(DraftFormReader.sizeLimit)).</p>
      <p class="buttons"><button name="do" value="add">Add the chosen files</button></p>
      </details>

      """
  }

  /// A file that the browser has sent.
  private func kept(_ file: WebDraft.File) -> Markup {
    """
    <fieldset><legend>File \(file.slot)</legend><input type="hidden" name="kept-\(file.slot)" value="1">
    <p>\(PageText.isolated(file.name)), \(ByteCount.text(file.size)) \
    <button name="do" value="remove-\(file.slot)">Remove<span class="unseen"> file \(file.slot)</span></button></p>
    \(description(file.slot, file.description, fault(file.slot)))\(problem(file.slot))</fieldset>

    """
  }

  /// A place for a file. What is wrong there is wrong with the file that was chosen.
  private func place(_ slot: Int) -> Markup {
    """
    <fieldset><legend>File \(slot)</legend>
    <p class="field"><label for="file-\(slot)">File</label> \
    <input id="file-\(slot)" name="file-\(slot)" type="file" accept="image/*,video/*,audio/*"\(fault(slot))></p>
    \(description(slot, form.descriptions[slot] ?? ""))\(problem(slot))</fieldset>

    """
  }

  private func description(_ slot: Int, _ text: String, _ fault: Markup = "") -> Markup {
    """
    <p class="field"><label for="alt-\(slot)">Description</label> \
    <textarea id="alt-\(slot)" name="alt-\(slot)" rows="2" dir="auto"\(fault)>
    \(text)</textarea></p>

    """
  }

  /// The attributes of the field that the problem of a slot is about.
  private func fault(_ slot: Int) -> Markup {
    form.problems[slot] == nil || !showsErrors ? "" : " aria-invalid=\"true\" aria-describedby=\"file-\(slot)-error\""
  }

  private func problem(_ slot: Int) -> Markup {
    guard showsErrors, let problem = form.problems[slot] else { return "" }
    return "<p class=\"error\" id=\"file-\(slot)-error\">\(problem)</p>\n"
  }

  // MARK: Errors

  /// - Parameter description: the id of another element that describes the field.
  private func reference(_ field: WebDraft.Field, _ description: Markup? = nil) -> Markup {
    let isBad = showsErrors && form.errors[field] != nil
    let ids = [isBad ? "\(field.rawValue)-error" : nil, description].compactMap(\.self)
    let described: Markup = ids.isEmpty ? "" : " aria-describedby=\"\(ids.joined(separator: " "))\""
    return (isBad ? " aria-invalid=\"true\"" : "") + described
  }

  private func error(_ field: WebDraft.Field) -> Markup {
    guard showsErrors, let error = form.errors[field] else { return "" }
    return " <span class=\"error\" id=\"\(field.rawValue)-error\">\(error)</span>"
  }
}
