/// Emoji and other signs. The tokenizer's tables are of Unicode 6.1: it drops the signs that were there then, and takes each later one
/// for a letter of the word beside it.
enum Pictograph {
  /// What stands for a scalar in the index.
  enum Role: Equatable {
    /// Not a sign, or one that the tokenizer knows what to do with.
    case none
    /// A word of its own: this letter of the Private Use Area.
    case word(Unicode.Scalar)
    /// Stands between words.
    case space
    /// Says only how the one before looks.
    case modifier
  }

  static func role(of scalar: Unicode.Scalar) -> Role {
    switch scalar.value {
    case ..<0x2000: .none
    case 0x1f3fb...0x1f3ff: .modifier
    case 0x1f000...0x1faff: word(0xe000, scalar.value - 0x1f000)
    case 0x2300...0x23ff: word(0xeb00, scalar.value - 0x2300)
    case 0x2600...0x27bf: word(0xec00, scalar.value - 0x2600)
    case 0x2b00...0x2bff: word(0xee00, scalar.value - 0x2b00)
    // Isolates, currencies, turned digits, later punctuation, and letters that only their writer knows.
    case 0x2066...0x206f, 0x20a0...0x20cf, 0x218a...0x218f, 0x2e00...0x2e7f, 0xe000...0xf8ff: .space
    default: .none
    }
  }

  private static func word(_ first: UInt32, _ distance: UInt32) -> Role {
    Unicode.Scalar(first + distance).map { .word($0) } ?? .space
  }
}
