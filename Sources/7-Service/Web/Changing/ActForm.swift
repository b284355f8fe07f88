internal import HTTP
internal import Settings
internal import Timeline

/// What a form below a post says, in its address and its fields.
struct ActForm: Sendable {
  let act: PostAct
  let account: AccountSettings
  let post: PostID
  /// The id of the post's place in its timeline. It differs from the post's id for notifications.
  let entry: PostID
  /// The timeline in whose order the page shows the post; nil if there is none.
  let timeline: TimelineKey?
  let back: WebAddress
  /// Whether the user has confirmed an act that cannot be undone.
  let isConfirmed: Bool

  /// The maximum length of an id in bytes.
  private static let longestID = 1_000

  /// - Throws: status 400 for values that are no such form's; 404 for an account that is no longer in the configuration.
  init(_ form: WebQuery, in configuration: Configuration) throws(WebError) {
    let back = try BackAddress.read(form["back"])
    self.back = back
    guard let act = form["do"].flatMap({ PostAct(rawValue: $0) }) else { throw Self.malformed("do", back) }
    self.act = act
    let owner = form["account"] ?? form["timeline"].map { TimelineKey.parts(of: $0).account }
    guard let name = owner.flatMap({ AccountName($0) }) else { throw Self.malformed("account", back) }
    guard let account = configuration[name] else {
      throw WebError(
        .notFound, "There is no account with this name", "It may have been renamed or removed.", way: .back(back))
    }
    self.account = account
    post = try Self.id(form["post"], "post", back)
    entry = try form["entry"].map { entry throws(WebError) in try Self.id(entry, "entry", back) } ?? post
    timeline = try form["timeline"].map { text throws(WebError) in
      let (name, timeline) = TimelineKey.parts(of: text)
      guard name == account.name.text, let timeline = try? timeline.map({ try TimelineName($0) }) ?? .home else {
        throw Self.malformed("timeline", back)
      }
      return TimelineKey(account: account.name, timeline: timeline)
    }
    if act == .read, timeline == nil { throw Self.malformed("timeline", back) }
    isConfirmed = form["sure"] == "yes"
  }

  private static func id(_ text: String?, _ name: String, _ back: WebAddress) throws(WebError) -> PostID {
    let id = PostID(text ?? "")
    guard isValid(id) else { throw malformed(name, back) }
    return id
  }

  /// Returns whether a form can contain a post's id, which comes from a server.
  static func isValid(_ id: PostID) -> Bool {
    !id.text.isEmpty && id.text.utf8.count <= longestID && id.text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private static func malformed(_ name: String, _ back: WebAddress) -> WebError {
    WebError(
      .badRequest, "This form is not one of homeline's",
      "The value of “\(name)” is missing or is none that it can have.",
      way: .back(back))
  }
}

extension WebError.Way {
  /// The way back to the page of a form.
  static func back(_ address: WebAddress) -> WebError.Way { WebError.Way(address, "Back to the page") }
}
