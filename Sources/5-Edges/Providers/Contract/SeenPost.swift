package import Posting

/// A post as its server shows it to the token's user. homeline looks at a post before it acts: it deletes only the user's own posts, and
/// sends nothing if the server reports that there is nothing to do.
package struct SeenPost: Sendable, Hashable {
  /// A post, or a repost, and the user who published it.
  package struct Identity: Sendable, Hashable {
    /// The id in the response. Its spelling may differ from that of the requested id.
    package let id: String
    /// The user's id; `nil` if the server does not report it.
    package let authorID: String?
    /// The user's screen name, for messages.
    package let authorName: String?

    package init(id: String, authorID: String?, authorName: String? = nil) {
      self.id = id
      self.authorID = authorID
      self.authorName = authorName
    }
  }

  package let identity: Identity
  /// The reposted post, if this is a repost.
  package let original: Identity?
  /// Whether the user has reposted, liked or bookmarked the post. There is no entry for a state that the server does not report.
  let states: [PostAction.Kind: Bool]
  /// The id of the user's own repost, on servers that take a repost back under this id only.
  package let ownRepost: String?

  package init(
    _ identity: Identity, reposting original: Identity? = nil, states: [PostAction.Kind: Bool] = [:],
    ownRepost: String? = nil
  ) {
    self.identity = identity
    self.original = original
    self.states = states
    self.ownRepost = ownRepost
  }

  /// The id that an action is sent for. Only a deletion concerns a repost itself. All other actions concern the original: several servers
  /// ignore a request to undo something for the id of a repost.
  package func target(of action: PostAction) -> String {
    action.kind == .delete ? identity.id : original?.id ?? identity.id
  }

  /// Returns whether an action would change nothing; `nil` if the server does not report this.
  package func isDone(_ action: PostAction) -> Bool? { states[action.kind].map { $0 != action.isUndone } }
}
