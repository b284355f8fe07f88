package import Timeline

/// A post in the form stored in the search index, with the source of each character in the post.
package struct IndexedPost: Sendable {
  package let text: Column
  package let author: Column

  package init(_ post: Post) {
    text = Column { SearchText.eachText(of: post, $0) }
    author = Column { SearchText.eachName(of: post, $0) }
  }

  /// A column of the search index.
  package struct Column: Sendable {
    /// The text as stored in the index.
    package let text: String
    /// For each Unicode scalar of `text`, its source scalars in the joined parts.
    private let origins: [Range<Int>]
    /// The parts of the post, and their ranges of scalars in the joined parts.
    private let parts: [(part: PostMatches.Part, range: Range<Int>)]

    fileprivate init(_ each: ((PostMatches.Part, String) -> Void) -> Void) {
      var joined: [String] = []
      var parts: [(PostMatches.Part, Range<Int>)] = []
      var start = 0
      each { part, text in
        let count = text.unicodeScalars.count
        joined.append(text)
        parts.append((part, start..<start + count))
        // A line feed separates the parts.
        start += count + 1
      }
      self.parts = parts
      (text, origins) = SearchText.traced(joined.joined(separator: "\n"))
    }

    /// Adds the source of a part of ``text`` in the post.
    /// - Parameter span: a range of scalars of ``text``.
    package func add(_ span: Range<Int>, to matches: inout PostMatches) {
      let places = origins[span.clamped(to: origins.indices)]
      guard let start = places.map(\.lowerBound).min(), let end = places.map(\.upperBound).max() else { return }
      for (part, range) in parts {
        let common = range.clamped(to: start..<end)
        if common.isEmpty { continue }
        matches.add(common.lowerBound - range.lowerBound..<common.upperBound - range.lowerBound, of: part)
      }
    }
  }
}

extension SearchTerm {
  /// Whether the term ends with a single character of a script without spaces. In the index, the tokens that begin with it have a second
  /// character, which the term does not contain.
  package var endsInHalfPair: Bool {
    guard isPrefix, let token = text.split(separator: " ").last?.unicodeScalars, let scalar = token.first else {
      return false
    }
    return token.count == 1 && CJK.contains(scalar)
  }
}
