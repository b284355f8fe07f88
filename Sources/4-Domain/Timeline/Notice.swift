package import Time

/// An event that a server notifies the user of: what others have done, and when.
package struct Notice: Sendable, Hashable {
  /// The kinds that homeline can describe, by their names in Mastodon's API.
  package enum Kind: String, Sendable, CaseIterable {
    case mention
    /// A user whose new posts the user wants to be notified of has posted.
    case status
    case reblog, favourite, follow
    case followRequest = "follow_request"
    /// A poll that the user created or voted in has ended.
    case poll
    /// A post that the user has reposted was edited.
    case update
    case quote
    /// A post that the user has quoted was edited.
    case quotedUpdate = "quoted_update"
    /// The user has lost followers or followed users, because a server or an account was blocked.
    case severedRelationships = "severed_relationships"
    case moderationWarning = "moderation_warning"
    case signUp = "admin.sign_up"
    case report = "admin.report"
  }

  /// The server's id of the notification.
  package let id: PostID
  /// What happened, in the server's word. It need not be a `Kind`.
  package let kind: String
  /// The users who did it, as far as the server names them.
  package let actors: [User]
  /// The server's name of a group of notifications that can be shown as one; `nil` if there is no group.
  package let group: String?
  package let at: Timestamp
  /// What the server says about the event, as plain text.
  package let text: String?

  package init(
    id: PostID, kind: String, actors: [User] = [], group: String? = nil, at: Timestamp, text: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.actors = actors
    self.group = group
    self.at = at
    self.text = text
  }

  /// The kind; `nil` if homeline does not know it.
  package var knownKind: Kind? { Kind(rawValue: kind) }

  /// Returns the same event with other actors.
  package func by(_ actors: [User]) -> Notice {
    Notice(id: id, kind: kind, actors: actors, group: group, at: at, text: text)
  }

  /// The same event without the server's text, which may quote a post.
  package var withoutText: Notice { Notice(id: id, kind: kind, actors: actors, group: group, at: at) }
}

/// A post that is in a timeline because of an event.
