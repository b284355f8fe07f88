internal import Accounts
internal import HomelineOAuth
internal import Posting
internal import Providers
internal import Settings
internal import Storage

/// The provider and the token used to send an account's posts.
struct PostAuthor {
  let provider: any PostingProvider
  let token: StoredToken

  /// - Parameters:
  ///   - action: the action; `nil` for a post.
  ///   - attachesFiles: whether the post has files to upload.
  /// - Throws: the reason the user cannot post.
  init(
    of account: Account, for action: PostAction?, attachingFiles attachesFiles: Bool
  ) throws(OperationError) {
    guard let provider = account.provider as? any PostingProvider else {
      throw OperationError(.configuration, "homeline cannot post with the provider \(account.provider.name)")
    }
    let objection = action.flatMap { provider.objection(to: $0) } ?? provider.postingObjection
    if let objection { throw OperationError(.configuration, objection) }
    let stored: StoredToken?
    do throws(StorageError) { stored = try account.loadToken() } catch { throw OperationError(error) }
    guard let token = stored else {
      throw OperationError(.notAuthorised, "not authorised yet. Run: homeline login \(account.name)")
    }
    let granted = token.grant.bearer?.scope
    let missing =
      provider.scopesMissing(from: granted, for: action)
      + (attachesFiles ? provider.mediaScopesMissing(from: granted) : [])
    guard missing.isEmpty else { throw Self.scopeError(missing, provider, account) }
    self.provider = provider
    self.token = token
  }

  private static func scopeError(
    _ missing: [String], _ provider: any PostingProvider, _ account: Account
  ) -> OperationError {
    func list(_ scopes: [String]) -> String { scopes.map { "\"\($0)\"" }.joined(separator: ", ") }
    var requested: [String] = []
    if case .oauth2(let profile) = provider.authorization { requested = profile.scopes }
    let all = requested + missing.filter { !requested.contains($0) }
    return OperationError(
      .notAuthorised,
      "the token does not allow this: add \(list(missing)) to the account's \"scopes\" in the configuration, which are then "
        + "[\(list(all))], and run: homeline login \(account.name)")
  }
}

extension PostDraft {
  /// Returns the reason no server would publish the post; `nil` if none is known.
  func objection(requiringAltText requiresAltText: Bool) -> String? {
    if text.allSatisfy(\.isWhitespace), media.isEmpty { return "the text is empty" }
    if requiresAltText, let file = media.first(where: { $0.description == nil }) {
      return "\(file.path): the description is missing; add --alt, because \"require_alt_text\" is set"
    }
    if text.utf8.count > PostDraft.longestText { return "the text is longer than \(PostDraft.longestText) bytes" }
    return text.utf8.contains(0) ? "the text contains a NUL character" : nil
  }
}
