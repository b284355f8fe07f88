/// What names a post beside its id, at servers where the id of a post may change.
package struct PostIdentity: Sendable, Hashable {
  /// Its ActivityPub id. The same one is the same post.
  package let uri: String?
  /// Whether the same `url` is the same post too.
  package let isNamedByURL: Bool

  package init(uri: String?, isNamedByURL: Bool) {
    self.uri = uri
    self.isNamedByURL = isNamedByURL
  }
}
