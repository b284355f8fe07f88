/// Further identities of a post on servers whose ids may change.
package struct PostIdentity: Sendable, Hashable {
  /// The ActivityPub id. Posts with the same id are the same post.
  package let uri: String?
  /// Whether posts with the same `url` are also the same post.
  package let isNamedByURL: Bool

  package init(uri: String?, isNamedByURL: Bool) {
    self.uri = uri
    self.isNamedByURL = isNamedByURL
  }
}
