/// Rules for line breaks, a small part of UAX #14: lines break at spaces, and between letters in scripts without spaces.
enum BreakRules {
  /// The class of a character for line breaking.
  struct CharacterClass: Sendable {
    let isSpace: Bool
    /// A letter or picture with a possible line break on each side.
    let isWide: Bool
    /// A character that must not begin a line.
    let closes: Bool
    /// A character that must not end a line.
    let opens: Bool

    init(_ character: Character, columns: Int) {
      let first = character.unicodeScalars.first!
      isSpace = BreakRules.isBreakingSpace(first)
      isWide = columns == 2
      closes = BreakRules.closes(first)
      opens = BreakRules.opens(first)
    }
  }

  /// Returns whether a line may be broken between two characters that are not spaces.
  static func parts(_ left: CharacterClass, _ right: CharacterClass) -> Bool {
    (left.isWide || right.isWide) && !left.opens && !right.closes
  }

  /// Returns whether this is a space where lines may be broken. They may not be broken at U+00A0, U+2007 and U+202F.
  private static func isBreakingSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200b, 0x205f, 0x3000: true
    default: false
    }
  }

  private static let closing: Set<Unicode.Scalar> = Set(
    "°·…‥‰℃％、。，．：；？！・ー～〜々〻ゝゞヽヾ゛゜ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ".unicodeScalars)

  private static func closes(_ scalar: Unicode.Scalar) -> Bool {
    // For ASCII, no Unicode property needs to be looked up.
    if scalar.isASCII {
      return switch scalar {
      case ")", "]", "}", "!", "%", ",", ".", ":", ";", "?": true
      default: false
      }
    }
    return switch scalar.properties.generalCategory {
    case .closePunctuation, .finalPunctuation: true
    default: closing.contains(scalar)
    }
  }

  private static func opens(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == "(" || scalar == "[" || scalar == "{" }
    return switch scalar.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: true
    default: false
    }
  }
}
