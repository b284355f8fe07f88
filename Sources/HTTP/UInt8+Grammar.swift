/// The character classes of the HTTP grammar (RFC 5234 appendix B.1, RFC 9110 §5.5, §5.6.2).
extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  /// `DIGIT`.
  var isDigit: Bool { 0x30...0x39 ~= self }

  /// `ALPHA`.
  var isLetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }

  /// `VCHAR`: printable US-ASCII without the space.
  var isVisible: Bool { 0x21...0x7E ~= self }

  /// `SP` or `HTAB`, what optional whitespace (`OWS`) is made of.
  var isBlank: Bool { self == .space || self == .tab }

  /// What a field's value may hold: `VCHAR`, `SP`, `HTAB` and `obs-text`; no other control byte (RFC 9110 §5.5).
  var isFieldContent: Bool { self == .tab || (self >= .space && self != 0x7F) }

  /// `tchar`, what methods and field names are made of (RFC 9110 §5.6.2).
  var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: isDigit || isLetter
    }
  }

  /// What a registered name in an authority may hold besides percent-encoded bytes: `unreserved` and
  /// `sub-delims` (RFC 3986 §3.2.2).
  var isRegisteredNameCharacter: Bool {
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
      UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
      true
    default: isDigit || isLetter
    }
  }

  /// The value of a `HEXDIG` of either case, or nil.
  var hexDigitValue: Int? {
    switch self {
    case 0x30...0x39: Int(self) - 0x30
    case 0x41...0x46: Int(self) - 0x41 + 10
    case 0x61...0x66: Int(self) - 0x61 + 10
    default: nil
    }
  }

  /// The lower-case form of an ASCII letter; every other byte as it is.
  var foldedCase: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
