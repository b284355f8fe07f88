internal import Timeline

/// Where a page of one timeline begins, as its address says. No state is kept between two pages.
enum PostPlace {
  /// The maximum length of a key in bytes. The longest keys contain an id.
  private static let longestKey = 1_000

  /// Reads the key `below`, for a list in the order of one timeline's keys.
  static func key(_ query: WebQuery, _ name: String) throws(WebError) -> PostKey? {
    guard let text = query[name] else { return nil }
    guard !text.isEmpty, text.utf8.count <= longestKey, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw .badAddress("The value of “\(name)” is not the key of a post.")
    }
    return PostKey(text)
  }
}
