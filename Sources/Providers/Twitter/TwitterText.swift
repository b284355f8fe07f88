internal import JSON

/// A text with its links and media: the text of the post itself, or the longer text in `extended_tweet`.
struct TwitterText {
  /// A short link in the text and its target.
  struct Link {
    let short: String
    let expanded: String

    init(short: String, expanded: String) {
      self.short = short
      self.expanded = expanded
    }

    /// Consumes any value; `nil` unless it is a link with both members.
    init?(_ cursor: inout JSONCursor) throws {
      var short: String?
      var expanded: String?
      try cursor.lenientMembers { cursor, name in
        switch name {
        case "url": short = try cursor.lenientString() ?? short
        case "expanded_url": expanded = try cursor.lenientString() ?? expanded
        default: try cursor.skip()
        }
      }
      guard let short, let expanded, !short.isEmpty, !expanded.isEmpty else { return nil }
      self.init(short: short, expanded: expanded)
    }
  }

  /// The maximum number of links that are expanded in a text. It is far more than a real text contains, but limits the time spent on a text
  /// that consists only of links.
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

  /// Reads the value of a member that belongs to a text.
  /// - Returns: false for any other member, which is not consumed.
  mutating func take(_ name: JSONName, _ cursor: inout JSONCursor) throws -> Bool {
    switch name {
    case "full_text": full = try cursor.lenientString() ?? full
    case "text": compatible = try cursor.lenientString() ?? compatible
    case "entities": try readEntities(&cursor, isExtended: false)
    case "extended_entities": try readEntities(&cursor, isExtended: true)
    default: return false
    }
    return true
  }

  /// Reads the parts left for later. Call it after the last member.
  mutating func finish(_ cursor: inout JSONCursor) throws {
    guard media.isEmpty else { return }
    for start in plainMedia { try cursor.again(from: start) { cursor in try readMedia(&cursor) } }
    plainMedia = []
  }

  private mutating func readMedia(_ cursor: inout JSONCursor) throws {
    try cursor.lenientElements { cursor in media.append(try TwitterMedia(&cursor)) }
  }

  private mutating func readEntities(_ cursor: inout JSONCursor, isExtended: Bool) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "urls":
        try cursor.lenientElements { cursor in
          if let link = try Link(&cursor), links.count < Self.linkLimit { links.append(link) }
        }
      case "media" where isExtended: try readMedia(&cursor)
      case "media": plainMedia.append(try cursor.skip().lowerBound)
      default: try cursor.skip()
      }
    }
  }
}

extension TwitterText {
  /// Returns the plain text. References are decoded once, and short links are expanded. Links at the end that only refer to the post's
  /// own media or quoted post are removed, because these are shown separately.
  ///
  /// Links are found by their text. Their `indices` are not used, because they count code points in the escaped text and are often wrong.
  /// `display_text_range` is ignored, because it would hide the names at the beginning of a reply.
  /// - Parameter quotedID: the quoted post.
  func plain(_ escaped: String, quoting quotedID: String?, quoteLink: String?) -> String {
    if media.isEmpty, links.isEmpty, quotedID == nil || quoteLink == nil { return HTMLText.decoded(escaped) }
    var dispensable = Set(media.compactMap(\.link))
    if let quotedID {
      dispensable.formUnion(links.filter { Self.path(of: $0.expanded).hasSuffix("/status/" + quotedID) }.map(\.short))
      if let quoteLink { dispensable.insert(quoteLink) }
    }
    let mediaLinks = media.prefix(Self.linkLimit).compactMap { media in
      media.link.flatMap { short in media.expandedLink.map { Link(short: short, expanded: $0) } }
    }
    return Self.plain(escaped, links: links + mediaLinks, dispensable: dispensable)
  }

  /// Returns the plain text of an escaped text with the given links.
  /// - Parameters:
  ///   - links: the short links and their targets.
  ///   - dispensable: short links to leave out at the end.
  static func plain(_ escaped: String, links: [Link], dispensable: Set<String>) -> String {
    expanded(trimmed(escaped, of: dispensable), links: links)
  }

  /// Returns an address without its query.
  static func path(of url: String) -> Substring { url.prefix { $0 != "?" && $0 != "#" } }

  /// Returns the text without dispensable links at its end, and without the white space before each of them.
  private static func trimmed(_ text: String, of dispensable: Set<String>) -> String {
    if dispensable.isEmpty { return text }
    var rest = Array(text.utf8)[...]
    var kept = rest
    while true {
      while let last = rest.last, last == 0x20 || last == 0x0a { rest.removeLast() }
      let word = rest.suffix(from: rest.lastIndex { $0 == 0x20 || $0 == 0x0a }.map { $0 + 1 } ?? rest.startIndex)
      guard !word.isEmpty, dispensable.contains(String(decoding: word, as: UTF8.self)) else { break }
      rest = rest[..<word.startIndex]
      kept = rest
    }
    if kept.endIndex == text.utf8.count { return text }
    while let last = kept.last, last == 0x20 || last == 0x0a { kept.removeLast() }
    return String(decoding: kept, as: UTF8.self)
  }

  /// A short link as it appears in a text, and its replacement.
  private typealias Pattern = (short: [UInt8], expanded: [UInt8])

  /// Returns the links to look for, the longest first, because one link may be the beginning of another. An `&` in a link may be escaped.
  private static func patterns(of links: [Link]) -> [Pattern] {
    var patterns: [Pattern] = []
    for link in links {
      let short = Array(link.short.utf8)
      let expanded = Array(link.expanded.utf8)
      patterns.append((short, expanded))
      guard short.contains(UInt8(ascii: "&")) else { continue }
      let parts = short.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      patterns.append((Array(parts.joined(separator: "&amp;".utf8)), expanded))
    }
    return patterns.sorted { $0.short.count > $1.short.count }
  }

  /// Decodes references and replaces links in one pass over the text, so that no part is decoded or replaced more than once.
  private static func expanded(_ text: String, links: [Link]) -> String {
    let bytes = Array(text.utf8)
    // Nearly all bytes begin neither a link nor a reference.
    var begins = InlineArray<256, Bool>(repeating: false)
    begins[Int(UInt8(ascii: "&"))] = true
    for link in links { if let first = link.short.utf8.first { begins[Int(first)] = true } }
    guard bytes.contains(where: { begins[Int($0)] }) else { return text }
    let patterns = patterns(of: links)
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var copied = 0
    var index = 0
    while index < bytes.count {
      if !begins[Int(bytes[index])] {
        index += 1
      } else if let pattern = patterns.first(where: { isLink($0.short, at: index, in: bytes) }) {
        plain += bytes[copied..<index]
        plain += pattern.expanded
        index += pattern.short.count
        copied = index
      } else if let reference = HTMLText.reference(at: index, in: bytes) {
        plain += bytes[copied..<index]
        plain += Array(String(reference.character).utf8)
        index = reference.end
        copied = index
      } else {
        index += 1
      }
    }
    if copied == 0 { return text }
    plain += bytes[copied...]
    return String(decoding: plain, as: UTF8.self)
  }

  /// Returns whether the link is at this position, and not a longer link with the same beginning.
  private static func isLink(_ link: [UInt8], at index: Int, in bytes: [UInt8]) -> Bool {
    let end = index + link.count
    guard end <= bytes.count, bytes[index] == link[0] else { return false }
    for place in link.indices where bytes[index + place] != link[place] { return false }
    guard end < bytes.count else { return true }
    switch bytes[end] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      return false
    default: return true
    }
  }
}
