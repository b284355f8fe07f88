/// The links in an XRD document (RFC 6415 §2, OASIS XRD 1.0), which states where a host's users are described.
///
/// Only the start tags of `Link` elements are read, with any namespace prefix. Entities that a document defines are not expanded, and a
/// document that defines any is not read at all. The time is linear in the document's length.
struct XRDLinks {
  struct Link: Equatable {
    var relation: String?
    var template: String?
  }

  /// The links in the order of the document; nil if it is not an XRD document.
  let links: [Link]

  init?(_ bytes: [UInt8]) {
    var reader = XMLTags(bytes)
    var links: [Link] = []
    var isXRD = false
    while let tag = reader.next() {
      switch tag.name {
      case "XRD": isXRD = true
      case "Link" where isXRD:
        links.append(Link(relation: tag.attributes["rel"], template: tag.attributes["template"]))
      default: break
      }
    }
    guard isXRD, !reader.definesEntities else { return nil }
    self.links = links
  }
}

/// Reads the start tags of an XML document (XML 1.0 §3.1). It tolerates documents that are not well-formed, and never fails.
private struct XMLTags {
  struct Tag {
    /// The name without a namespace prefix.
    let name: String
    let attributes: [String: String]
  }

  private let bytes: [UInt8]
  private var offset = 0
  /// Whether the document has an internal subset, which can define entities (§2.8).
  private(set) var definesEntities = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next start tag; nil at the end, or where the rest cannot be read.
  mutating func next() -> Tag? {
    while let open = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) {
      offset = open + 1
      switch bytes.dropFirst(offset).first {
      case UInt8(ascii: "?"): skip(behind: "?>")
      case UInt8(ascii: "!"): skipDeclaration()
      case UInt8(ascii: "/"): skip(behind: ">")
      default: if let tag = takeTag() { return tag }
      }
      if definesEntities { return nil }
    }
    return nil
  }

  private mutating func skipDeclaration() {
    let rest = bytes[offset...]
    if rest.starts(with: "!--".utf8) {
      offset += 3
      return skip(behind: "-->")
    }
    if rest.starts(with: "![CDATA[".utf8) { return skip(behind: "]]>") }
    let end = rest.firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
    definesEntities = bytes[offset..<end].contains(UInt8(ascii: "["))
    skip(behind: ">")
  }

  /// Moves past the next occurrence of a mark, or to the end.
  private mutating func skip(behind mark: String) {
    let mark = Array(mark.utf8)
    while offset < bytes.count, !bytes[offset...].starts(with: mark) { offset += 1 }
    offset = min(offset + mark.count, bytes.count)
  }

  private mutating func takeTag() -> Tag? {
    let name = take { Self.isSpace($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }
    guard !name.isEmpty else { return nil }
    var attributes: [String: String] = [:]
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: ">") {
        offset += 1
        return Tag(name: Self.local(name), attributes: attributes)
      }
      if Self.isSpace(bytes[offset]) || bytes[offset] == UInt8(ascii: "/") {
        offset += 1
        continue
      }
      let key = take { Self.isSpace($0) || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") }
      _ = take { !Self.isSpace($0) }
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "=") else {
        // An attribute without a value, which XML does not allow, is skipped.
        if key.isEmpty { offset += 1 }
        continue
      }
      offset += 1
      _ = take { !Self.isSpace($0) }
      guard let quote = bytes.dropFirst(offset).first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        return nil
      }
      offset += 1
      let value = take { $0 == quote }
      offset = min(offset + 1, bytes.count)
      if let text = Self.decoded(value) { attributes[Self.local(key)] = attributes[Self.local(key)] ?? text }
    }
    return nil
  }

  private mutating func take(until ends: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = offset
    while offset < bytes.count, !ends(bytes[offset]) { offset += 1 }
    return bytes[start..<offset]
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private static func local(_ name: ArraySlice<UInt8>) -> String {
    let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
    return String(decoding: name[start...], as: UTF8.self)
  }

  private static let entities: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  /// Decodes the predefined entities and character references (§4.1, §4.6); nil if the value contains any other reference.
  private static func decoded(_ value: ArraySlice<UInt8>) -> String? {
    let pieces = value.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    var text = String(decoding: pieces[0], as: UTF8.self)
    for piece in pieces.dropFirst() {
      guard let end = piece.firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let name = String(decoding: piece[..<end], as: UTF8.self)
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      guard let scalar = entities[name] ?? number.flatMap(Unicode.Scalar.init) else { return nil }
      text.unicodeScalars.append(scalar)
      text += String(decoding: piece[(end + 1)...], as: UTF8.self)
    }
    return text
  }
}
