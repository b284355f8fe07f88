package import Posting
package import Timeline

/// The meaning of the response to a new post.
package struct PostedResponse: Sendable {
  package let result: AttemptResult
  /// The published post for the account's timeline; `nil` if it was not published or cannot be read.
  package let entry: Page.Entry?

  package init(_ result: AttemptResult, entry: Page.Entry? = nil) {
    self.result = result
    self.entry = entry
  }
}
