internal import CivilTime
internal import JSON
internal import Timeline

/// The kinds of ids on servers with Mastodon's API. Each server uses one kind, and not all kinds are ordered.
enum MastodonID {
  /// Returns the key that is derived from an id alone; `nil` for ids that do not grow with time.
  ///
  /// - Mastodon's are decimal: ordered by length, then by digits.
  /// - GoToSocial's are ULIDs: 26 characters of Crockford's base 32, ordered byte by byte.
  /// - Pleroma's and Akkoma's are flakes: 128 bits in base 62 with digits in ASCII order; 18 digits from 1975 to 2285.
  ///
  /// If a server switches to a different kind of id, the kinds are sorted in this order: decimal ids, those ordered by time (`t`), ULIDs
  /// (`u`), flakes (`v`).
  static func key(of id: String) -> PostKey? {
    let bytes = id.utf8
    // No server is known to use longer decimal ids. An id of 32 digits may be a hash that contains no letters by chance.
    if bytes.count <= 20, let key = PostKey(decimal: PostID(id)) { return key }
    if bytes.count == 26, bytes.first.map({ $0 <= UInt8(ascii: "7") }) ?? false, bytes.allSatisfy(isCrockford) {
      return PostKey("u" + String(decoding: bytes.map(uppercased), as: UTF8.self))
    }
    if bytes.count == 18, bytes.allSatisfy(isAlphanumeric) { return PostKey("v" + id) }
    return nil
  }

  /// Returns the key of a post: derived from its id if possible, otherwise from its time.
  static func key(of id: String, at time: Timestamp) -> PostKey {
    key(of: id) ?? TimedPosition(time, id: id).key
  }

  /// Returns whether an id is from snac. It consists of the ten digits of a time, which changes when the post is edited, and the MD5 of the
  /// post's address. Older versions use only the MD5.
  static func isOfSnac(_ id: String) -> Bool {
    let bytes = id.utf8
    guard bytes.count == 32 || bytes.count == 42 else { return false }
    return bytes.dropLast(32).allSatisfy { (0x30...0x39).contains($0) }
      && bytes.suffix(32).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  /// Crockford's base 32 omits I, L, O and U; a ULID may be written in either case.
  private static func isCrockford(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) && !"ILOU".utf8.contains(uppercased(byte))
  }

  private static func uppercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xdf : byte
  }
}
