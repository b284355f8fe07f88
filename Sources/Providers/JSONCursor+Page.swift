internal import JSON

/// Lists of a timeline's answer, whose length the server chooses.
extension JSONCursor {
  /// How many posts, or things that belong to posts, one answer may have: ten times the largest page that is asked for.
  static let mostOfPage = 2_000

  /// Reads a list of them, of which the cursor stands in front of each in turn.
  /// - Throws: `ProviderError.unreadable` in front of the first one that is too many.
  mutating func pageElements(_ body: (inout JSONCursor) throws -> Void) throws {
    var count = 0
    try elements { cursor in
      count += 1
      guard count <= Self.mostOfPage else {
        throw ProviderError.unreadable(
          "The provider answered with more than \(Self.mostOfPage) posts, or authors or media of posts, where a page of them was "
            + "asked for; nothing of it is taken. Check which provider and endpoints are configured.")
      }
      try body(&cursor)
    }
  }

  /// Takes any value: the elements of such a list, or none.
  mutating func lenientPageElements(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try pageElements(body) } else { try skip() }
  }
}
