/// A file that a user wants to publish with a post.
package struct AttachedFile: Sendable, Hashable {
  /// The absolute path.
  package let path: String
  package let description: String?
  package let keepsMetadata: Bool

  package init(path: String, description: String? = nil, keepsMetadata: Bool = false) {
    self.path = path
    self.description = description
    self.keepsMetadata = keepsMetadata
  }
}
