internal import Formats
internal import Posting
internal import Providers
internal import Settings
internal import Timeline

/// What the user can do with an account's posts, by its settings and its provider.
struct AccountActs: Sendable {
  /// Whether the account can publish posts.
  let canPost: Bool
  /// Whether the account can answer posts.
  let canReply: Bool
  private let kinds: Set<PostAction.Kind>
  private let marks: StoredMarks

  /// - Parameters:
  ///   - settings: nil for an account that is not in the configuration any more.
  ///   - marks: what the archive knows.
  init(_ settings: AccountSettings?, _ marks: StoredMarks) {
    self.marks = marks
    guard let settings, settings.isEnabled, settings.drive == nil, settings.hasTimeline(),
      let provider = settings.postingProvider, provider.postingObjection == nil
    else {
      (canPost, canReply, kinds) = (false, false, [])
      return
    }
    let requested: String? =
      if case .oauth2(let profile) = provider.authorization { profile.scopes.joined(separator: " ") } else { nil }
    // The scopes of the settings decide, not those of the token: to read the token, a locked keyring might have to be waited for.
    func isAllowed(_ use: APIScopes.Use) -> Bool {
      provider.apiScopes?.missing(for: [use], from: requested).isEmpty ?? true
    }
    canPost = isAllowed(.post)
    canReply = canPost && provider.objection(to: PostDraft(text: "", replyTo: .post("1"))) == nil
    kinds = Set(
      PostAction.Kind.allCases.filter { kind in
        guard let action = PostAction(kind) else { return false }
        return provider.objection(to: action) == nil && provider.actionRequest(action, on: "1", by: "1") != nil
          && isAllowed(APIScopes.Use(action))
      })
  }

  /// Returns the acts for a post that change something on the server, in the order of their buttons.
  func acts(on item: PublishedPost, _ own: OwnActs, of account: AccountName) -> [PostAct] {
    let post = item.post
    if post.isEventOnly { return [] }
    var acts: [PostAct] = []
    for act in [PostAct.like, .repost, .bookmark] {
      guard let kind = act.action?.kind, kinds.contains(kind) else { continue }
      let isDone = own.isDone(kind, on: post.id, of: account) ?? marks.areKnown(kind, on: post)
      acts.append(isDone ? act.opposite ?? act : act)
    }
    if kinds.contains(.delete), post.repostedBy == nil, marks.isOwn(post.author) { acts.append(.delete) }
    return acts
  }
}
