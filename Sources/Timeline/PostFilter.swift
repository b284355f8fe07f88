/// Which posts a view shows. A rule that is empty or `nil` lets everything through.
package struct PostFilter: Sendable, Hashable {
  /// Only these authors' posts, and what they reposted: screen names, letter case left aside.
  package var authors: [String]
  /// Only posts with one of these words or phrases in their text, letter case left aside.
  package var words: [String]
  /// Only posts in one of these languages (BCP 47 tags; `en` also takes `en-GB`).
  package var languages: [String]
  /// Only posts that show a picture, a film or a sound.
  package var isMediaOnly: Bool
  package var includesReplies: Bool
  package var includesReposts: Bool
  /// No posts of these authors, nor any that they reposted or that quote them.
  package var mutedAuthors: [String]
  /// No posts with one of these words or phrases in their text, or in what they quote.
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

  /// Whether nothing is left out.
  package var takesAll: Bool { self == PostFilter() }
}
