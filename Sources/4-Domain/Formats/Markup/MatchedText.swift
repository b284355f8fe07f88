package import HTTP
package import Timeline

/// The texts of a post, with the places that match a search in `mark` elements.
package struct MatchedText: Sendable {
  private let texts: [(scalars: [Unicode.Scalar], ranges: [Range<Int>])]

  package init(of post: Post, _ matches: PostMatches) {
    texts = [(post.text, PostMatches.Part.text), (post.quoted?.text ?? "", .quotedText)].map { text, part in
      (Array(text.unicodeScalars), matches.ranges[part] ?? [])
    }
  }

  /// Returns one of the texts as ``LinkedText/html(of:)`` does. A text behind a content warning is the end of the whole text.
  package func html(of text: String) -> Markup {
    let scalars = Array(text.unicodeScalars)
    for (whole, ranges) in texts where !ranges.isEmpty && whole.suffix(scalars.count).elementsEqual(scalars) {
      let start = whole.count - scalars.count
      let shifted = ranges.filter { $0.upperBound > start }.map {
        max(0, $0.lowerBound - start)..<($0.upperBound - start)
      }
      return LinkedText.html(of: text, marking: shifted)
    }
    return LinkedText.html(of: text)
  }
}

/// Escapes the pieces of a line, from its beginning on, and puts the marked characters into `mark` elements.
struct LineMarker {
  let line: MarkedText
  /// The number of scalars before the next piece.
  private var position = 0

  init(_ line: MarkedText) { self.line = line }

  /// Returns the next piece. A character is a grapheme cluster, which is marked as a whole.
  mutating func next(_ piece: String) -> Markup {
    var html = Markup()
    var run = ""
    var isMarked = false
    func closed() -> Markup { run.isEmpty ? "" : isMarked ? "<mark>\(run)</mark>" : "\(run)" }
    for character in piece {
      let end = position + character.unicodeScalars.count
      if line.isMarked(position..<end) != isMarked {
        html += closed()
        run = ""
        isMarked.toggle()
      }
      run.append(character)
      position = end
    }
    return html + closed()
  }
}
