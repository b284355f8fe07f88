/// A letter's writing system, which decides whether a name is shown in letters or as A-labels (UTS #39 §5.2, "Highly
/// Restrictive").
enum Script: Hashable {
  case latin, greek, cyrillic, armenian, hebrew, arabic, han, kana, hangul, bopomofo
  /// Another script, given by the number of its block of 128 code points. Each South Asian script fills one block. A name in a script with
  /// several blocks may be shown as A-labels.
  case block(UInt32)

  /// Returns whether the letters of a label may be shown together.
  static func areShown(in label: some Sequence<Unicode.Scalar>) -> Bool {
    var scripts: Set<Script> = []
    for scalar in label {
      switch scalar.properties.generalCategory {
      case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber,
        .letterNumber:
        break
      default: if scalar != "-" { return false }
      }
      if let script = Script(scalar) { scripts.insert(script) }
    }
    return scripts.count < 2 || together.contains { scripts.isSubset(of: $0) }
  }

  /// Scripts that a language mixes. Latin letters are common among all of them.
  private static let together: [Set<Script>] = [
    [.latin, .han, .kana], [.latin, .han, .bopomofo], [.latin, .han, .hangul],
  ]

  /// Returns nil for a character that belongs to no script, such as a digit.
  private init?(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x30...0x39, 0x2D, 0x300...0x36F: return nil
    case 0x00...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0xAB30...0xAB6F: self = .latin
    case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
    case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
    case 0x530...0x58F: self = .armenian
    case 0x590...0x5FF: self = .hebrew
    case 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF: self = .arabic
    case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: self = .hangul
    case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3134F: self = .han
    case 0x3040...0x30FF, 0x31F0...0x31FF: self = .kana
    case 0x3100...0x312F, 0x31A0...0x31BF: self = .bopomofo
    default: self = .block(scalar.value >> 7)
    }
  }
}
