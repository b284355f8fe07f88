internal import Formats
internal import HTTP
internal import Settings
internal import Storage
internal import Timeline

/// The buttons below posts, one form for each post.
struct PostForms: Sendable {
  /// The address that each form posts to, with what the form is about in its query.
  static let address = WebAddress("act")

  private let accounts: [AccountName: AccountActs]
  private let own: OwnActs
  /// The page that the forms are on.
  private let back: WebAddress
  /// Returns the timeline in whose order a post is shown; nil if the page is in no timeline's order.
  private let timeline: @Sendable (PublishedPost) -> TimelineKey?
  /// Whether the page shows several accounts, so that a button names the timeline whose mark it moves.
  private let namesTimelines: Bool

  /// - Parameters:
  ///   - posts: the posts of the page.
  ///   - back: the address of the page.
  ///   - namesTimelines: whether the page is in the order of several timelines.
  ///   - timeline: returns the timeline in whose order a post is shown; nil if there is none.
  init(
    for posts: [PublishedPost], in data: WebData, _ own: OwnActs, back: WebAddress, namesTimelines: Bool = false,
    timeline: @escaping @Sendable (PublishedPost) -> TimelineKey?
  ) {
    let (configuration, archives) = (data.configuration, WebArchives(data: data))
    var accounts: [AccountName: AccountActs] = [:]
    for (name, posts) in Dictionary(grouping: posts, by: \.account) {
      guard let account = AccountName(name), let settings = configuration[account], settings.isEnabled else { continue }
      // An archive that cannot be read does not matter here: deleting is not offered then, and what was liked can be liked again.
      let marks = try? archives.read(account) { archive throws(StorageError) in
        try StoredMarks(of: posts.map(\.post), in: archive)
      }
      accounts[account] = AccountActs(settings, marks ?? StoredMarks())
    }
    self.accounts = accounts
    self.own = own
    self.back = back
    self.namesTimelines = namesTimelines
    self.timeline = timeline
  }

  /// Returns the form of a post; empty if nothing can be done with it.
  func html(of item: PublishedPost) -> Markup {
    guard let account = AccountName(item.account), let offered = accounts[account], ActForm.isValid(item.post.id),
      ActForm.isValid(item.post.entryID)
    else { return "" }
    let timeline = timeline(item)
    let acts = offered.acts(on: item, own, of: account)
    let canReply = offered.canReply && !item.post.isEventOnly
    guard canReply || timeline != nil || !acts.isEmpty else { return "" }
    let author = PageText.line(Self.short(PageName.shown(item.post.author)))
    let action = Self.action(for: item, in: timeline)
    // A search's address can be longer than a request line may be.
    var html: Markup = "<form class=\"acts\" method=\"post\" action=\"\(action.text)\">"
    html += Self.hidden("back", back.text)
    if canReply {
      let address = WebAddress("post").with("account", item.account).with("reply", item.post.id.text)
      html += "<a class=\"act\" href=\"\(address.text)\" aria-label=\"Reply to \(author)\">Reply</a>"
    }
    html += acts.filter { $0 != .delete }.map { Self.button($0, $0.label) }.joined()
    if let timeline {
      html += Self.button(.read, namesTimelines ? "Read \(timeline) up to here" : PostAct.read.label)
    }
    if acts.contains(.delete) { html += Self.button(.delete, PostAct.delete.label) }
    return html + "</form>\n"
  }

  /// The address of a form says which post it is about: that is half as long as hidden fields.
  private static func action(for item: PublishedPost, in timeline: TimelineKey?) -> WebAddress {
    let (post, entry) = (item.post.id.text, item.post.entryID.text)
    // The timeline's name begins with the account's.
    let place = timeline.map { address.with("timeline", $0.description) } ?? address.with("account", item.account)
    return entry == post ? place.with("post", post) : place.with("post", post).with("entry", entry)
  }

  /// The names of buttons do not repeat the author, who names the group that they are in: the post's footer.
  private static func button(_ act: PostAct, _ label: String) -> Markup {
    "<button name=\"do\" value=\"\(act.rawValue)\">\(PageText.line(label))</button>"
  }

  static func hidden(_ name: Markup, _ value: String) -> Markup {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }

  /// Returns the beginning of a name, which is enough to tell the links of a page apart.
  private static func short(_ name: String) -> String { name.count > 40 ? name.prefix(40) + "…" : name }
}
