internal import Posting
internal import Providers
internal import Settings
internal import Storage

/// The provider and the token used to send an account's posts.
struct PostAuthor {
  let provider: any PostingProvider
  let token: StoredToken
  /// The reason the token does not allow this; `nil` if it does, or if its scopes are unknown.
  let problem: OperationError?

  /// - Parameters:
  ///   - action: the action; `nil` for a post.
  ///   - attachesFiles: whether the post has files to upload.
  /// - Throws: the reason the user cannot post, even with a token that allows it.
  init(
    of account: Account, for action: PostAction?, attachingFiles attachesFiles: Bool
  ) throws(OperationError) {
    guard let provider = account.provider as? any PostingProvider else {
      throw OperationError(.configuration, "homeline cannot post with the provider \(account.provider.name)")
    }
    let objection = action.flatMap { provider.objection(to: $0) } ?? provider.postingObjection
    if let objection { throw OperationError(.configuration, objection) }
    let stored: StoredToken?
    do throws(StorageError) { stored = try account.authority.loadToken() } catch { throw OperationError(error) }
    guard let token = stored else {
      throw OperationError(.notAuthorised, "not authorised yet. Run: homeline login \(account.name)")
    }
    problem = Self.problem(of: token, provider, account, for: action, attachingFiles: attachesFiles).map {
      OperationError(.notAuthorised, $0)
    }
    self.provider = provider
    self.token = token
  }

  /// Returns the reason the token does not allow this; `nil` if it does, or if its scopes are unknown.
  private static func problem(
    of token: StoredToken, _ provider: any PostingProvider, _ account: Account, for action: PostAction?,
    attachingFiles attachesFiles: Bool
  ) -> String? {
    let uses = [APIScopes.Use(action)] + (attachesFiles ? [.attachFiles] : [])
    guard let scopes = provider.apiScopes, case .oauth2(let profile) = provider.authorization else { return nil }
    guard !scopes.missing(for: uses, from: token.grant.bearer?.scope).isEmpty else { return nil }
    // If the account already requests the scopes, the token is older than the settings, or the user did not grant a permission.
    return scopes.missing(for: uses, from: profile.scopes.joined(separator: " ")).isEmpty
      ? "the token does not allow this, although the account's scopes do. Log in again: homeline login \(account.name)"
      : "the token does not allow this. To allow it, run: homeline login \(account.name) --allow posting"
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
