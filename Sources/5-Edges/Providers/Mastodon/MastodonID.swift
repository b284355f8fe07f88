internal import JSON
internal import Time
internal import Timeline

/// The kinds of ids on Mastodon-compatible servers. Each server uses one kind, and not all kinds are ordered.
enum MastodonID {
  /// Returns the key derived from an id alone; `nil` for ids that do not grow with time.
  ///
  /// - Mastodon's ids are decimal: ordered by length, then by digits.
  /// - GoToSocial's ids are ULIDs: 26 characters of Crockford's base 32, ordered byte by byte.
  /// - Pleroma's and Akkoma's ids are flakes: 128 bits in base 62 with digits in ASCII order; 18 digits from 1975 to 2285.
  ///
  /// If a server switches to a different kind of id, the kinds are sorted in this order: decimal ids, those ordered by time (`t`), ULIDs
  /// (`u`), flakes (`v`).
  static func key(of id: String) -> PostKey? {
    let bytes = id.utf8
    // No server is known to use longer decimal ids. An id of 32 digits may be a hash that contains no letters by chance.
    if bytes.count <= 20, let key = PostKey(decimal: PostID(id)) { return key }
    if isULID(id) { return PostKey("u" + String(decoding: bytes.map(uppercased), as: UTF8.self)) }
    if bytes.count == 18, bytes.allSatisfy(isAlphanumeric) { return PostKey("v" + id) }
    return nil
  }

  static func isULID(_ id: String) -> Bool {
    let bytes = id.utf8
    return bytes.count == 26 && bytes.first.map { $0 <= UInt8(ascii: "7") } ?? false && bytes.allSatisfy(isCrockford)
  }

  /// Returns the key of a post: derived from its id if possible, otherwise from its time.
  static func key(of id: String, at time: Timestamp) -> PostKey {
    key(of: id) ?? TimedPosition(time, id: id).key
  }

  /// Returns the position of a post or notification; `nil` without an id, or without a time if the id does not grow with time.
  static func mark(_ id: String?, at time: Timestamp?) -> PostPosition? {
    guard let id, let key = key(of: id) ?? time.map({ key(of: id, at: $0) }) else { return nil }
    return PostPosition(id: PostID(id), key: key)
  }

  /// Returns whether an id is from snac. It consists of the ten digits of a time, which changes when the post is edited, and the MD5 of the
  /// post's address. Older versions use only the MD5.
  static func isOfSnac(_ id: String) -> Bool {
    let bytes = id.utf8
    guard bytes.count == 32 || bytes.count == 42 else { return false }
    return bytes.dropLast(32).allSatisfy { (0x30...0x39).contains($0) } && bytes.suffix(32).allSatisfy(isHexadecimal)
  }

  /// Returns an id in the spelling that homeline uses. On snac, a boosted post turns into its boost, whose id is the post's id in upper
  /// case. To snac, both are the same post.
  static func canonical(_ id: String) -> String { isOfSnac(id) ? id.lowercased() : id }

  /// Returns whether two ids belong to the same post. Only snac has several ids for a post.
  static func isSame(_ one: String, _ other: String) -> Bool {
    one == other || isOfSnac(one) && isOfSnac(other) && canonical(one).suffix(32) == canonical(other).suffix(32)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
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
