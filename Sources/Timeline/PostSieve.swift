/// A ``PostFilter`` made ready to be asked for many posts.
package struct PostSieve: Sendable {
  private let filter: PostFilter
  private let authors: Set<String>
  private let mutedAuthors: Set<String>
  private let languages: [String]
  /// Words are found where a word begins and ends, in scripts that have spaces; elsewhere anywhere.
  private let words: PhraseFinder
  private let mutedWords: PhraseFinder

  package init(_ filter: PostFilter) {
    self.filter = filter
    authors = Set(filter.authors.map(Self.plainName))
    mutedAuthors = Set(filter.mutedAuthors.map(Self.plainName))
    languages = filter.languages.map(\.caseFolded)
    words = PhraseFinder(filter.words)
    mutedWords = PhraseFinder(filter.mutedWords)
  }

  package func lets(_ post: Post) -> Bool { isWanted(post) && !isMuted(post) }

  private func isWanted(_ post: Post) -> Bool {
    if !filter.includesReplies, post.inReplyTo != nil { return false }
    if !filter.includesReposts, post.repostedBy != nil { return false }
    if filter.isMediaOnly, post.media.allSatisfy({ $0.kind == .other }) { return false }
    if !languages.isEmpty, !isIn(languages, post.language) { return false }
    if !authors.isEmpty, !isAny([post.author, post.repostedBy], of: authors) { return false }
    return filter.words.isEmpty || words.finds(in: post.text)
  }

  private func isMuted(_ post: Post) -> Bool {
    if !mutedAuthors.isEmpty, isAny([post.author, post.repostedBy, post.quoted?.author], of: mutedAuthors) {
      return true
    }
    if mutedWords.finds(in: post.text) { return true }
    guard let quoted = post.quoted else { return false }
    return mutedWords.finds(in: quoted.text)
  }

  private func isAny(_ users: [User?], of names: Set<String>) -> Bool {
    users.contains { user in user.map { names.contains(Self.plainName($0.screenName)) } ?? false }
  }

  /// Basic filtering of RFC 4647 §3.3.1: `en` takes `en` and `en-GB`, and not `eno`.
  private func isIn(_ languages: [String], _ tag: String?) -> Bool {
    guard let tag = tag?.caseFolded else { return false }
    return languages.contains { tag == $0 || tag.hasPrefix($0 + "-") }
  }

  /// Without a leading @. One with a server (`user@server`) stays whole, so that it means that one user alone.
  private static func plainName(_ name: String) -> String {
    (name.hasPrefix("@") ? String(name.dropFirst()) : name).caseFolded
  }
}
