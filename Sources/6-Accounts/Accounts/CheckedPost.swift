package import Posting

/// A post that complies with the server's rules.
package struct CheckedPost: Sendable, Hashable {
  /// The user and the server that would publish the post.
  package let author: String
  /// The length of the post's text; `nil` if the server's rule for measuring posts is unknown.
  package let length: TextLength?

  package init(author: String, length: TextLength?) {
    self.author = author
    self.length = length
  }
}
