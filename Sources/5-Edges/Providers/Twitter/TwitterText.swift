internal import JSON
internal import Timeline

/// Text with its links and media: the post's own text, or the longer text in `extended_tweet`.
struct TwitterText {
  /// A short link in the text and its target.
  struct Link {
    let short: String
    private let target: UndecodedString

    init(short: String, target: UndecodedString) {
      self.short = short
      self.target = target
    }

    var expanded: String { target.decoded }

    private enum Member: String, CaseIterable {
      case short = "url"
      case expanded = "expanded_url"
    }

    private static let names = JSONNames<Member>()

    /// Consumes any value; `nil` unless it is a link with both members.
    init?(_ cursor: inout JSONCursor) throws {
      var short: String?
      var target: UndecodedString?
      try cursor.lenientMembers(Self.names) { cursor, member in
        switch member {
        case .short: short = try cursor.lenientString() ?? short
        case .expanded: target = try UndecodedString(&cursor) ?? target
        }
      }
      guard let short, let target, !short.isEmpty, !target.isEmpty else { return nil }
      self.init(short: short, target: target)
    }
  }

  /// The maximum number of links expanded in a text. It is far more than real text contains, but limits the time spent on text that
  /// consists only of links.
  static let linkLimit = 200

  /// `full_text`: the whole text, escaped.
  private(set) var full: String?
  /// `text`: the whole text, or its beginning if the post is `truncated`.
  private(set) var compatible: String?
  private(set) var links: [Link] = []
  /// All media: those in `extended_entities`, otherwise those in `entities`, which lists only the first.
  private(set) var media: [TwitterMedia] = []
  /// The positions of the media in `entities`, which are read only if there are no media in `extended_entities`.
  private var plainMedia: [Int] = []

  /// The members of an object that contains a text.
  enum Member: String, CaseIterable {
    case full = "full_text"
    case compatible = "text"
    case entities
    case extendedEntities = "extended_entities"
  }

  static let names = JSONNames<Member>()

  /// Reads the value of a member.
  mutating func read(_ member: Member, _ cursor: inout JSONCursor) throws {
    switch member {
    case .full: full = try cursor.lenientString() ?? full
    case .compatible: compatible = try cursor.lenientString() ?? compatible
    case .entities: try readEntities(&cursor, isExtended: false)
    case .extendedEntities: try readEntities(&cursor, isExtended: true)
    }
  }

  /// The media that have an address.
  var shownMedia: [Media] { media.isEmpty ? [] : media.indices.compactMap { media[$0].media } }

  /// Reads the parts left for later. Call it after the last member.
  mutating func finish(_ cursor: inout JSONCursor) throws {
    guard media.isEmpty else { return }
    for start in plainMedia { try cursor.again(from: start) { cursor in try readMedia(&cursor) } }
    plainMedia = []
  }

  private mutating func readMedia(_ cursor: inout JSONCursor) throws {
    try cursor.lenientElements { cursor in media.append(try TwitterMedia(&cursor)) }
  }

  private enum Entities: String, CaseIterable {
    case urls, media
  }

  private static let entityNames = JSONNames<Entities>()

  private mutating func readEntities(_ cursor: inout JSONCursor, isExtended: Bool) throws {
    try cursor.lenientMembers(Self.entityNames) { cursor, entities in
      switch entities {
      case .urls:
        try cursor.lenientElements { cursor in
          if let link = try Link(&cursor), links.count < Self.linkLimit { links.append(link) }
        }
      case .media where isExtended: try readMedia(&cursor)
      case .media: plainMedia.append(try cursor.skip().lowerBound)
      }
    }
  }
}

extension TwitterText {
  /// Returns the plain text. References are decoded once, and short links are expanded. Links at the end that refer only to the post's own
  /// media or quoted post are removed, because these are shown separately.
  ///
  /// Links are found by their text. Their `indices` are not used, because they count code points in the escaped text and are often wrong.
  /// `display_text_range` is ignored, because it would hide the names at the beginning of a reply.
  /// - Parameter quotedID: the quoted post.
  func plain(_ escaped: String, quoting quotedID: String?, quoteLink: String?) -> String {
    if media.isEmpty, links.isEmpty, quotedID == nil || quoteLink == nil { return HTMLText.decoded(escaped) }
    var dispensable: [String] = []
    for index in media.indices { if let link = media[index].link { dispensable.append(link) } }
    if let quotedID {
      let ending = "/status/" + quotedID
      for link in links where Self.path(of: link.expanded).hasSuffix(ending) { dispensable.append(link.short) }
      if let quoteLink { dispensable.append(quoteLink) }
    }
    var links = links
    for index in media.indices.prefix(Self.linkLimit) {
      if let short = media[index].link, !short.isEmpty, let target = media[index].expandedLink {
        links.append(Link(short: short, target: target))
      }
    }
    return Self.plain(escaped, links: links, dispensable: dispensable)
  }

  /// Returns the plain text of escaped text with the given links.
  /// - Parameters:
  ///   - links: the short links and their targets.
  ///   - dispensable: short links to leave out at the end.
  static func plain(_ escaped: String, links: [Link], dispensable: [String]) -> String {
    let bytes = Array(escaped.utf8)
    let end = end(of: bytes, without: dispensable)
    let plain = expanded(bytes, to: end, links: links)
    return plain ?? (end == bytes.count ? escaped : String(decoding: bytes[..<end], as: UTF8.self))
  }

  /// Returns an address without its query.
  static func path(of url: String) -> Substring {
    Substring(url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  }

  /// Returns the end of the text without dispensable links at its end, and without the white space before each of them.
  private static func end(of text: [UInt8], without dispensable: [String]) -> Int {
    if dispensable.isEmpty { return text.count }
    // A response may contain any number of links, but comparing a few is faster than hashing them.
    let many = dispensable.count > 8 ? Set(dispensable.map { Array($0.utf8) }) : []
    var kept = text.count
    while true {
      let last = endWithoutSpace(in: text[..<kept])
      let space = text[..<last].lastIndex { $0 == 0x20 || $0 == 0x0a }
      let word = text[(space.map { $0 + 1 } ?? 0)..<last]
      let isDispensable =
        many.isEmpty
        ? dispensable.contains { isEqual($0, word) }
        : many.contains(Array(word))
      guard !word.isEmpty, isDispensable else { break }
      kept = word.startIndex
    }
    return kept == text.count ? kept : endWithoutSpace(in: text[..<kept])
  }

  private static func isEqual(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    let other = text.utf8.span
    guard other.count == bytes.count else { return false }
    for place in other.indices where other[place] != bytes[bytes.startIndex + place] { return false }
    return true
  }

  /// Returns the end of a text without the white space at its end.
  private static func endWithoutSpace(in text: ArraySlice<UInt8>) -> Int {
    text.lastIndex { $0 != 0x20 && $0 != 0x0a }.map { $0 + 1 } ?? 0
  }

  /// A short link as it appears in a text, and its replacement.
  private typealias Pattern = (short: [UInt8], link: Link)

  /// Returns the links to look for, the longest first, because one link may be the beginning of another. An `&` in a link may be escaped.
  private static func patterns(of links: [Link]) -> [Pattern] {
    var patterns: [Pattern] = []
    patterns.reserveCapacity(links.count)
    for link in links {
      let short = Array(link.short.utf8)
      patterns.append((short, link))
      guard short.contains(UInt8(ascii: "&")) else { continue }
      let parts = short.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      patterns.append((Array(parts.joined(separator: "&amp;".utf8)), link))
    }
    return patterns.count > 1 ? patterns.sorted { $0.short.count > $1.short.count } : patterns
  }

  /// Decodes references and replaces links in one pass over the text, so that no part is decoded or replaced more than once.
  /// - Returns: the text up to `end`; `nil` if it contains no reference and no link.
  private static func expanded(_ bytes: [UInt8], to end: Int, links: [Link]) -> String? {
    // Nearly all bytes begin neither a link nor a reference.
    var begins = InlineArray<256, Bool>(repeating: false)
    begins[Int(UInt8(ascii: "&"))] = true
    for link in links { if let first = link.short.utf8.first { begins[Int(first)] = true } }
    guard var index = bytes[..<end].firstIndex(where: { begins[Int($0)] }) else { return nil }
    let patterns = patterns(of: links)
    let text = bytes[..<end]
    var plain: [UInt8] = []
    var copied = 0
    while index < end {
      if !begins[Int(bytes[index])] {
        index += 1
        continue
      }
      let pattern = patterns.first { isLink($0.short, at: index, in: text) }
      let reference = pattern == nil ? HTMLText.reference(at: index, in: text) : nil
      guard pattern != nil || reference != nil else {
        index += 1
        continue
      }
      if copied == 0 { plain.reserveCapacity(2 * end) }
      plain += bytes[copied..<index]
      if let pattern {
        plain += pattern.link.expanded.utf8
        index += pattern.short.count
      } else if let reference {
        plain += String(reference.character).utf8
        index = reference.end
      }
      copied = index
    }
    if copied == 0 { return nil }
    plain += bytes[copied..<end]
    return String(decoding: plain, as: UTF8.self)
  }

  /// Returns whether the link is at this position, and not a longer link with the same beginning.
  private static func isLink(_ link: [UInt8], at index: Int, in bytes: ArraySlice<UInt8>) -> Bool {
    let end = index + link.count
    guard end <= bytes.endIndex, bytes[index] == link[0] else { return false }
    for place in link.indices where bytes[index + place] != link[place] { return false }
    guard end < bytes.endIndex else { return true }
    switch bytes[end] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      return false
    default: return true
    }
  }
}
