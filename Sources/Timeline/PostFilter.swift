/// The rules that select the posts of a view. A rule that is empty or `nil` accepts all posts.
package struct PostFilter: Sendable, Hashable {
  /// The authors whose posts and reposts are accepted: screen names in any letter case.
  package var authors: [String]
  /// The words or phrases, in any letter case; an accepted post contains at least one of them.
  package var words: [String]
  /// The languages of accepted posts (BCP 47 tags; `en` includes `en-GB`).
  package var languages: [String]
  /// Whether only posts with a picture, video or audio file are accepted.
  package var isMediaOnly: Bool
  package var includesReplies: Bool
  package var includesReposts: Bool
  /// The authors whose posts are hidden, along with posts that they reposted and posts that quote them.
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

/// Searches text for any of several words or phrases, in any letter case and with any whitespace.
///
/// The phrases are prepared once, so the time for a search does not depend on their number.
struct PhraseFinder: Sendable {
  /// A number for each character in the phrases, because comparing characters, which have several encodings, is slow.
  private var numbers: [Character: Int] = [:]
  /// The phrases by their first character's number.
  private var phrases: [Int: [Phrase]] = [:]

  private struct Phrase {
    let characters: [Int]
    /// Whether a word boundary must precede and follow the phrase.
    let beginsWord: Bool
    let endsWord: Bool
  }

  /// - Parameter texts: a phrase that is empty, or contains only whitespace, is never found.
  init(_ texts: [String]) {
    for text in texts {
      let folded = Self.folded(text)
      guard let first = folded.first, let last = folded.last else { continue }
      let characters = folded.map { number(of: $0) }
      phrases[characters[0], default: []].append(
        Phrase(
          characters: characters, beginsWord: WritingSystem.isPartOfSpacedWord(first),
          endsWord: WritingSystem.isPartOfSpacedWord(last)))
    }
  }

  func finds(in text: String) -> Bool {
    if phrases.isEmpty { return false }
    let folded = Self.folded(text)
    // Characters that are in no phrase share one number.
    let characters = folded.map { numbers[$0] ?? -1 }
    for start in characters.indices {
      for phrase in phrases[characters[start]] ?? [] {
        guard characters[start...].starts(with: phrase.characters) else { continue }
        let end = start + phrase.characters.count
        if phrase.beginsWord, start > 0, WritingSystem.isPartOfSpacedWord(folded[start - 1]) { continue }
        if phrase.endsWord, end < folded.count, WritingSystem.isPartOfSpacedWord(folded[end]) { continue }
        return true
      }
    }
    return false
  }

  private mutating func number(of character: Character) -> Int {
    if let number = numbers[character] { return number }
    numbers[character] = numbers.count
    return numbers.count - 1
  }

  /// Returns the text with single spaces between words and none at the ends.
  private static func folded(_ text: String) -> [Character] {
    Array(text.caseFolded.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }
}
