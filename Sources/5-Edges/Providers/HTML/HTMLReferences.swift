/// Character references in HTML (WHATWG HTML §13.5): numeric references, those of XML, and the named references that occur in posts.
enum HTMLReferences {
  /// Returns the text with each reference decoded once. Any other text, such as a lone `&`, is kept.
  static func decoded(_ bytes: some RandomAccessCollection<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    return HTMLText.decoded(Array(bytes), by: reference)
  }

  private static func reference(at start: Int, in bytes: [UInt8]) -> (character: Unicode.Scalar, end: Int)? {
    if let reference = HTMLText.reference(at: start, in: bytes[...]) { return reference }
    guard let end = bytes[start...].prefix(longest).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    return named[String(decoding: bytes[(start + 1)..<end], as: UTF8.self)].map { ($0, end + 1) }
  }

  /// The longest name below has six letters. A slightly larger limit does no harm.
  private static let longest = 10

  private static let named: [String: Unicode.Scalar] = [
    "nbsp": "\u{a0}", "shy": "\u{ad}", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}",
    "zwnj": "\u{200c}", "zwj": "\u{200d}", "ndash": "–", "mdash": "—", "hellip": "…", "bull": "•", "middot": "·",
    "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹", "rsaquo": "›",
    "laquo": "«", "raquo": "»", "iexcl": "¡", "iquest": "¿", "sect": "§", "para": "¶", "copy": "©", "reg": "®",
    "trade": "™", "deg": "°", "plusmn": "±", "times": "×", "divide": "÷", "frac12": "½", "frac14": "¼", "frac34": "¾",
    "sup2": "²", "sup3": "³", "micro": "µ", "ordf": "ª", "ordm": "º", "cent": "¢", "pound": "£", "yen": "¥",
    "euro": "€", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔", "rArr": "⇒", "hearts": "♥",
    "agrave": "à", "aacute": "á", "acirc": "â", "atilde": "ã", "auml": "ä", "aring": "å", "aelig": "æ",
    "ccedil": "ç", "egrave": "è", "eacute": "é", "ecirc": "ê", "euml": "ë", "igrave": "ì", "iacute": "í",
    "icirc": "î", "iuml": "ï", "ntilde": "ñ", "ograve": "ò", "oacute": "ó", "ocirc": "ô", "otilde": "õ", "ouml": "ö",
    "oslash": "ø", "ugrave": "ù", "uacute": "ú", "ucirc": "û", "uuml": "ü", "yacute": "ý", "yuml": "ÿ", "szlig": "ß",
    "Agrave": "À", "Aacute": "Á", "Acirc": "Â", "Auml": "Ä", "Aring": "Å", "AElig": "Æ", "Ccedil": "Ç",
    "Egrave": "È", "Eacute": "É", "Ntilde": "Ñ", "Oacute": "Ó", "Ouml": "Ö", "Oslash": "Ø", "Uuml": "Ü",
  ]
}
