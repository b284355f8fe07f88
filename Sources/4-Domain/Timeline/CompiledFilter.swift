/// A ``PostFilter`` prepared for testing many posts.
package struct CompiledFilter: Sendable {
  private let filter: PostFilter
  private let authors: Set<String>
  private let mutedAuthors: Set<String>
  private let languages: [String]
  /// The words. In scripts with spaces, they are found only at word boundaries; in other scripts, anywhere.
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

  /// Returns whether the view shows the post.
  package func includes(_ post: Post) -> Bool { isWanted(post) && !isMuted(post) }

  private func isWanted(_ post: Post) -> Bool {
    if !filter.includesReplies, post.inReplyTo != nil { return false }
    if !filter.includesReposts, post.repostedBy != nil { return false }
    if filter.isMediaOnly, post.media.allSatisfy({ $0.kind == .other }) { return false }
    if !languages.isEmpty, !isIn(languages, post.language) { return false }
    if !authors.isEmpty, !isAny([post.author, post.repostedBy] + actors(of: post), of: authors) { return false }
    return filter.words.isEmpty || words.finds(in: post.unfilteredText)
  }

  private func isMuted(_ post: Post) -> Bool {
    if !mutedAuthors.isEmpty,
      isAny([post.author, post.repostedBy, post.quoted?.author] + actors(of: post), of: mutedAuthors)
    {
      return true
    }
    if mutedWords.finds(in: post.unfilteredText) { return true }
    guard let quoted = post.quoted else { return false }
    return mutedWords.finds(in: quoted.text)
  }

  private func actors(of post: Post) -> [User?] { post.notice?.actors ?? [] }

  private func isAny(_ users: [User?], of names: Set<String>) -> Bool {
    users.contains { user in user.map { names.contains(Self.plainName($0.screenName)) } ?? false }
  }

  /// Returns whether a tag matches one of the languages by basic filtering (RFC 4647 §3.3.1): `en` matches `en` and `en-GB`, but not `eno`.
  private func isIn(_ languages: [String], _ tag: String?) -> Bool {
    guard let tag = tag?.caseFolded else { return false }
    return languages.contains { tag == $0 || tag.hasPrefix($0 + "-") }
  }

  /// Returns the name without a leading @. A name with a server (`user@server`) refers only to that user.
  private static func plainName(_ name: String) -> String {
    (name.hasPrefix("@") ? String(name.dropFirst()) : name).caseFolded
  }
}
