internal import Timeline

extension PostFilter {
  /// The keys of a view that filter its posts.
  static let keys = ["authors", "words", "languages", "media_only", "replies", "reposts", "mute"]
  static let muteKeys = ["authors", "words"]

  init(_ values: KeyedValues, _ problems: inout Problems) {
    self.init()
    authors = Self.texts("authors", values, "screen names", &problems, Self.faultOfAuthor)
    words = Self.texts("words", values, "words or phrases", &problems, Self.faultOfWord)
    languages = Self.texts("languages", values, "languages", &problems, Self.faultOfLanguage)
    isMediaOnly = values.boolean("media_only", &problems) ?? isMediaOnly
    includesReplies = values.boolean("replies", &problems) ?? includesReplies
    includesReposts = values.boolean("reposts", &problems) ?? includesReposts
    guard let member = values["mute"],
      let mute = KeyedValues(
        member.value, path: values.path(of: "mute"), offset: member.offset, keys: Self.muteKeys, &problems)
    else { return }
    mutedAuthors = Self.texts("authors", mute, "screen names", &problems, Self.faultOfAuthor)
    mutedWords = Self.texts("words", mute, "words or phrases", &problems, Self.faultOfWord)
  }

  private static func texts(
    _ key: String, _ values: KeyedValues, _ meaning: String, _ problems: inout Problems,
    _ fault: (String) -> String?
  ) -> [String] {
    guard
      let list = TextList(
        key, in: values, expecting: "a list of \(meaning): [\"…\", …]", atMost: ProgramDefaults.filterTexts, &problems)
    else { return [] }
    list.check(&problems, for: fault)
    return list.elements.map(\.text)
  }

  private static func faultOfWord(_ text: String) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "is empty: it would match every post" }
    if text.first?.isWhitespace == true || text.last?.isWhitespace == true {
      return "begins or ends with white space, which would never match"
    }
    return tooLong(text)
  }

  private static func faultOfAuthor(_ text: String) -> String? {
    let name = text.hasPrefix("@") ? text.dropFirst() : text[...]
    if name.isEmpty { return "is empty: enter a screen name" }
    if name.contains(where: \.isWhitespace) { return "a screen name must not contain white space" }
    return tooLong(text)
  }

  /// Checks the form of a tag (RFC 5646 §2.1): subtags of up to 8 letters and digits, joined by hyphens.
  private static func faultOfLanguage(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isTag = parts.allSatisfy { part in
      (1...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    if isTag, parts[0].allSatisfy(\.isLetter) { return nil }
    return "expected a language tag such as en or pt-BR, found \(DisplayText.quoted(text))"
  }

  private static func tooLong(_ text: String) -> String? {
    let limit = ProgramDefaults.filterTextLength
    return text.count > limit ? "is longer than \(limit) characters" : nil
  }
}
