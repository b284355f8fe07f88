extension OAuth {
  /// Takes secrets out of a provider's words before these are shown: servers repeat what they were sent, as GNU social does with
  /// `Invalid access token: TOKEN`.
  ///
  /// A secret of 8 bytes or more is found wherever it stands: as it is, percent-encoded in whole or in part, once or twice, and in base64 or
  /// base64url, by itself or amid other bytes, as the `Authorization` header of HTTP Basic has it. What is shorter, such as a PIN, could be part
  /// of any sentence; it is looked for only in the answer to the request that it was sent with.
  public struct Redaction: Sendable, Hashable {
    /// What stands in the place of a secret.
    public static let mark = "[secret]"

    /// How many bytes a secret has that is looked for everywhere.
    public static let leastBytes = SecretSearch.leastBytes

    /// Takes nothing out.
    public static let nothing = Redaction([])

    private let secrets: Set<Secret>

    /// - Parameters:
    ///   - secrets: those shorter than ``leastBytes`` are left aside.
    ///   - sent: what went along with the request whose answer is shown, of any length.
    public init(_ secrets: some Sequence<Secret>, sent: some Sequence<Secret> = []) {
      self.init(
        Set(secrets.filter { $0.withExposed { $0.count >= Self.leastBytes } }).union(sent.filter { !$0.isEmpty }))
    }

    private init(_ secrets: Set<Secret>) { self.secrets = secrets }

    /// Takes out what either of the two does.
    public func union(_ other: Redaction) -> Redaction { Redaction(secrets.union(other.secrets)) }

    /// The text with ``mark`` in the place of each secret.
    public func applied(to text: String) -> String {
      if secrets.isEmpty { return text }
      let bytes = Array(text.utf8)
      var found: [Range<Int>] = []
      for secret in secrets { secret.withExposed { found += SecretSearch($0).places(in: bytes) } }
      if found.isEmpty { return text }
      found.sort { $0.lowerBound < $1.lowerBound }
      var shown: [UInt8] = []
      var end = 0
      for place in found {
        // Two forms of a secret, or two secrets, may overlap.
        if place.lowerBound >= end { shown += bytes[end..<place.lowerBound] + Self.mark.utf8 }
        end = max(end, place.upperBound)
      }
      return String(decoding: shown + bytes[end...], as: UTF8.self)
    }
  }
}

extension OAuth.Redaction: CustomStringConvertible, CustomReflectable {
  /// How many secrets it knows.
  public var description: String { "\(secrets.count) secrets" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Finds a secret in a text, in the forms in which it travels.
struct SecretSearch {
  /// How many bytes a secret has that is looked for everywhere, and in base64.
  static let leastBytes = 8

  private let secret: [UInt8]
  /// The letters of base64 that follow from the secret alone, for each of the three places where it can begin in a group of three bytes.
  private let encoded: [[UInt8]]

  init(_ secret: [UInt8]) {
    self.secret = secret
    encoded = secret.count < Self.leastBytes ? [] : (0..<3).map { Self.letters(of: secret, behind: $0) }
  }

  /// Where it stands.
  func places(in text: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var start = 0
    while start < text.count {
      guard let place = place(at: start, in: text) else {
        start += 1
        continue
      }
      places.append(place)
      start = max(place.upperBound, start + 1)
    }
    return places
  }

  private func place(at start: Int, in text: [UInt8]) -> Range<Int>? {
    if let end = Self.end(of: secret, at: start, in: text) ?? Self.end(ofEncoded: secret, at: start, in: text) {
      return isPartOfWord(start..<end, in: text) ? nil : start..<end
    }
    for letters in encoded {
      guard let end = Self.end(ofEncoded: letters, at: start, in: text, isBase64: true) else { continue }
      return Self.wholeOfEncoded(start..<end, in: text)
    }
    return nil
  }

  /// With the letters beside them, which hold the rest of the secret's bits, and the padding.
  private static func wholeOfEncoded(_ place: Range<Int>, in text: [UInt8]) -> Range<Int> {
    var (begin, end) = (place.lowerBound, place.upperBound)
    while begin > 0, value(of: text[begin - 1]) != nil { begin -= 1 }
    while end < text.count {
      let escaped = escaped(at: end, in: text)
      let letter = escaped ?? text[end]
      guard letter == UInt8(ascii: "=") || value(of: letter) != nil else { break }
      end += escaped == nil ? 1 : 3
    }
    return begin..<end
  }

  /// Whether it is rather a part of a longer word: of three letters or fewer one cannot tell otherwise.
  private func isPartOfWord(_ place: Range<Int>, in text: [UInt8]) -> Bool {
    guard secret.count < 4 else { return false }
    let before = text[..<place.lowerBound].last.map(ASCII.isAlphanumeric) ?? false
    let after = text[place.upperBound...].first.map(ASCII.isAlphanumeric) ?? false
    return before || after
  }

  /// Where the bytes end that begin at a place, as they are.
  private static func end(of bytes: [UInt8], at start: Int, in text: [UInt8]) -> Int? {
    guard text.count - start >= bytes.count, text[start] == bytes[0] else { return nil }
    return text[start..<(start + bytes.count)].elementsEqual(bytes) ? start + bytes.count : nil
  }

  /// The same where any of them may be percent-encoded (RFC 3986 §2.1), once or twice, or be a blank as forms write it.
  /// - Parameter isBase64: whether both alphabets of base64 count as one.
  private static func end(ofEncoded bytes: [UInt8], at start: Int, in text: [UInt8], isBase64: Bool = false) -> Int? {
    var place = start
    for byte in bytes {
      guard place < text.count else { return nil }
      var (read, next) = (text[place], place + 1)
      if read == UInt8(ascii: "%"), var value = escaped(at: place, in: text) {
        next = place + 3
        if value == UInt8(ascii: "%"), let inner = hexadecimal(at: next, in: text) { (value, next) = (inner, next + 2) }
        read = value
      } else if read == UInt8(ascii: "+"), byte == UInt8(ascii: " ") {
        read = byte
      }
      let isSame = isBase64 ? Self.value(of: read) == Self.value(of: byte) : read == byte
      guard isSame else { return nil }
      place = next
    }
    return place
  }

  private static func escaped(at place: Int, in text: [UInt8]) -> UInt8? {
    text[place] == UInt8(ascii: "%") ? hexadecimal(at: place + 1, in: text) : nil
  }

  private static func hexadecimal(at place: Int, in text: [UInt8]) -> UInt8? {
    guard place + 1 < text.count, let high = ASCII.hexValue(text[place]), let low = ASCII.hexValue(text[place + 1])
    else { return nil }
    return high << 4 | low
  }

  // MARK: Base64

  /// - Parameter before: how many bytes of a group of three stand in front of it.
  private static func letters(of secret: [UInt8], behind before: Int) -> [UInt8] {
    let letters = Array(Base64URL.encode([UInt8](repeating: 0, count: before) + secret).utf8)
    // A letter has six bits. The first ones share theirs with what stands before, the last one with what follows.
    let first = before == 0 ? 0 : before + 1
    return Array(letters[first..<((before + secret.count) * 8 / 6)])
  }

  /// The value of a letter of either alphabet (RFC 4648 §4, §5).
  private static func value(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias Redaction = OAuth.Redaction
