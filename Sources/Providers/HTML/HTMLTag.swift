/// A start or end tag: its name in lower case, and of a start tag the attributes.
struct HTMLTag {
  let name: String
  let isEnd: Bool
  /// By lower-case name, references decoded; of doubled ones the first counts (HTML §13.2.5.33).
  let attributes: [String: String]

  func hasClass(_ name: String) -> Bool {
    attributes["class"]?.utf8.split(whereSeparator: HTMLSpace.contains).contains {
      String(decoding: Array($0), as: UTF8.self) == name
    } ?? false
  }
}
