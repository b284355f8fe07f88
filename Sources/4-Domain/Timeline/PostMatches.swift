/// The places in a post that match a search, as ranges of Unicode scalars in each part of the post.
package struct PostMatches: Sendable, Hashable {
  /// A part of a post that is searched.
  package enum Part: Sendable, Hashable {
    case text
    case quotedText
    /// The description of a picture, given by the picture's index.
    case description(Int)
    /// The description of a picture in the quoted post, given by the picture's index.
    case quotedDescription(Int)
    case screenName(Person)
    case name(Person)
  }

  /// A person who is named in a post.
  package enum Person: Sendable, Hashable { case author, reposter, quotedAuthor }

  /// The ranges of each part, in any order. They may overlap.
  package private(set) var ranges: [Part: [Range<Int>]] = [:]

  package init() {}

  package mutating func add(_ range: Range<Int>, of part: Part) { ranges[part, default: []].append(range) }
}
