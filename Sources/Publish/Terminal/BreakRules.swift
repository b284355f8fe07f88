/// Where a line may end, as far as posts need it: at spaces, and between the letters of scripts that have none (UAX #14, much
/// simplified).
enum BreakRules {
  /// A character as a line sees it.
  struct Sort: Sendable {
    let isSpace: Bool
    /// A letter or picture that may be parted from any other.
    let isWide: Bool
    /// May not begin a line.
    let closes: Bool
    /// May not end one.
    let opens: Bool

    init(_ character: Character, columns: Int) {
      let first = character.unicodeScalars.first!
      isSpace = BreakRules.isBreakingSpace(first)
      isWide = columns == 2
      closes = BreakRules.closes(first)
      opens = BreakRules.opens(first)
    }
  }

  /// Whether a line may end between these two, neither of which is a space.
  static func parts(_ left: Sort, _ right: Sort) -> Bool {
    (left.isWide || right.isWide) && !left.opens && !right.closes
  }

  /// The spaces that keep words together are none (U+00A0, U+2007, U+202F).
  private static func isBreakingSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200b, 0x205f, 0x3000: true
    default: false
    }
  }

  private static let closing: Set<Unicode.Scalar> = Set(
    "!%,.:;?°·…‥‰℃％、。，．：；？！・ー～〜々〻ゝゞヽヾ゛゜ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ".unicodeScalars)

  private static func closes(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .closePunctuation, .finalPunctuation: true
    default: closing.contains(scalar)
    }
  }

  private static func opens(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: true
    default: false
    }
  }
}
