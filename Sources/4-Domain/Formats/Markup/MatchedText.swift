package import HTTP
package import Timeline

/// The texts, names and descriptions of a post, with the places that match a search in `mark` elements.
package struct MatchedText: Sendable {
  private let texts: [(scalars: [Unicode.Scalar], ranges: [Range<Int>])]
  /// The ranges of each name and description. Two equal names match in the same places.
  private let lines: [String: [Range<Int>]]

  package init(of post: Post, _ matches: PostMatches) {
    texts = [(post.text, PostMatches.Part.text), (post.quoted?.text ?? "", .quotedText)].map { text, part in
      (Array(text.unicodeScalars), matches.ranges[part] ?? [])
    }
    var lines: [String: [Range<Int>]] = [:]
    for (part, ranges) in matches.ranges { if let line = post.line(part) { lines[line] = ranges } }
    self.lines = lines
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

  /// Returns one of the names or descriptions as ``PageText/line(_:)`` does.
  package func html(ofLine text: String) -> Markup {
    guard let ranges = lines[text] else { return PageText.line(text) }
    let line = SafeText.line(of: text, marking: ranges)
    var marker = LineMarker(line)
    return marker.next(line.text)
  }
}

extension Post {
  /// Returns the name or the description that is this part of the post; `nil` for its texts.
  fileprivate func line(_ part: PostMatches.Part) -> String? {
    func user(_ person: PostMatches.Person) -> User? {
      switch person {
      case .author: author
      case .reposter: repostedBy
      case .quotedAuthor: quoted?.author
      }
    }
    return switch part {
    case .text, .quotedText: nil
    case .description(let index): media[index].alternativeText
    case .quotedDescription(let index): quoted?.media[index].alternativeText
    case .screenName(let person): user(person)?.screenName
    case .name(let person): user(person)?.name
    }
  }
}
