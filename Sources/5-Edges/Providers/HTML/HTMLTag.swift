/// A start or end tag: its name in lower case, and the attributes of a start tag.
struct HTMLTag {
  let name: String
  let isEnd: Bool
  /// The attributes by lower-case name, with references decoded. If a name is repeated, the first value is used (HTML §13.2.5.33).
  let attributes: [String: String]

  func hasClass(_ name: String) -> Bool {
    attributes["class"]?.utf8.split(whereSeparator: HTMLSpace.contains).contains {
      String(decoding: Array($0), as: UTF8.self) == name
    } ?? false
  }
}
