/// The rules that select the posts of a view. A rule that is empty or `nil` accepts all posts.
package struct PostFilter: Sendable, Hashable {
  /// The authors whose posts and reposts are accepted, and whose likes and other events: case-insensitive screen names.
  package var authors: [String]
  /// Case-insensitive words or phrases; an accepted post contains at least one of them.
  package var words: [String]
  /// The languages of accepted posts (BCP 47 tags; `en` includes `en-GB`).
  package var languages: [String]
  /// Whether only posts with a picture, video or audio file are accepted.
  package var isMediaOnly: Bool
  package var includesReplies: Bool
  package var includesReposts: Bool
  /// The authors whose posts and events are hidden, along with posts that they reposted and posts that quote them.
  package var mutedAuthors: [String]
  /// The words or phrases that hide a post if they occur in its text or in the quoted text.
  package var mutedWords: [String]

  package init(
    authors: [String] = [], words: [String] = [], languages: [String] = [], isMediaOnly: Bool = false,
    includesReplies: Bool = true, includesReposts: Bool = true, mutedAuthors: [String] = [], mutedWords: [String] = []
  ) {
    self.authors = authors
    self.words = words
    self.languages = languages
    self.isMediaOnly = isMediaOnly
    self.includesReplies = includesReplies
    self.includesReposts = includesReposts
    self.mutedAuthors = mutedAuthors
    self.mutedWords = mutedWords
  }
}
