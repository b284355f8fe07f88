/// Makes external text safe for a terminal, so that it cannot control the terminal or reorder the text around it.
///
/// Removes control characters (C0, DEL, C1), complete escape sequences (ECMA-48 §5.4 CSI, and OSC, DCS, APC, PM, SOS with their
/// terminator), and the bidirectional embeddings, overrides and isolates defined in UAX #9 §2. Right-to-left letters remain. The time taken
/// is linear in the length of the text.
package enum SafeText {
  /// Returns the lines of the text, with tabs replaced by spaces. Empty text has no lines.
  package static func lines(of text: String) -> [String] {
    let safe = cleaned(text)
    if safe.isEmpty { return [] }
    // In a cleaned text, a line feed is always a separate character, so the text can be divided at its bytes.
    if !hasLineFeed(safe.utf8.span) { return [safe] }
    return safe.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }

  private static func hasLineFeed(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { return true }
    return false
  }

  /// Returns the text on one line, with line breaks replaced by spaces.
  package static func line(of text: String) -> String {
    ByteReplacement.text(cleaned(text), plain: { $0 != UInt8(ascii: "\n") }) { _, index, line in
      line.append(UInt8(ascii: " "))
      index += 1
    }
  }

  /// Returns the cleaned text, with line breaks as LF and tabs as spaces.
  /// - Parameter note: called with the index of each scalar that is kept, if the text is not already safe.
  static func cleaned(_ text: String, _ note: (Int) -> Void = { _ in }) -> String {
    if isSafe(text) { return text }
    let scalars = Array(text.unicodeScalars)
    var terminators = Terminators()
    var safe = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      switch scalar.value {
      case 0x0d:
        // CR LF is one line break.
        if index + 1 == scalars.count || scalars[index + 1] != "\n" {
          safe.append("\n")
          note(index)
        }
        index += 1
      case 0x0a, 0x85, 0x2028, 0x2029:
        safe.append("\n")
        note(index)
        index += 1
      case 0x09:
        safe.append(" ")
        note(index)
        index += 1
      case 0x1b, 0x90, 0x98, 0x9b, 0x9d...0x9f: index = endOfSequence(from: index, in: scalars, &terminators)
      case ..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069: index += 1
      default:
        safe.append(scalar)
        note(index)
        index += 1
      }
    }
    return String(safe)
  }

  /// Returns whether there is nothing to remove and all line breaks are LF, as in most text. In UTF-8, each character that may have to be
  /// removed begins with a C0 byte, DEL, C2 or E2.
  private static func isSafe(_ text: String) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "\n"): continue
      case ..<0x20, 0x7f: return false
      // U+0080 to U+009F.
      case 0xc2 where bytes[index + 1] < 0xa0: return false
      // U+2028 to U+202E, and U+2066 to U+2069.
      case 0xe2 where bytes[index + 1] == 0x80 && (0xa8...0xae).contains(bytes[index + 2]): return false
      case 0xe2 where bytes[index + 1] == 0x81 && (0xa6...0xa9).contains(bytes[index + 2]): return false
      default: continue
      }
    }
    return true
  }

  /// The maximum distance to a control string's terminator. Real control strings are shorter.
  private static let longestString = 4096

  /// Finds the terminators of control strings in order, so that each scalar is examined only once.
  private struct Terminators {
    /// The next terminator, and the index after it.
    private var next: (begin: Int, end: Int)?
    /// The scalars before this index have been examined.
    private var looked = 0

    /// Finds the next terminator.
    /// - Parameter start: no lower than in the previous call.
    /// - Returns: the index after the first terminator at or after `start`, if it is near enough.
    mutating func end(from start: Int, in scalars: [Unicode.Scalar]) -> Int? {
      let limit = min(start + longestString, scalars.count)
      if let next, next.begin >= start { return next.begin < limit ? next.end : nil }
      next = nil
      looked = max(looked, start)
      while looked < limit {
        let place = looked
        looked += 1
        switch scalars[place].value {
        // ST, or BEL, which terminals accept too.
        case 0x9c, 0x07: next = (place, place + 1)
        // ESC and a backslash are the C1 control ST (ECMA-48 §5.3).
        case 0x1b where place + 1 < scalars.count && scalars[place + 1] == "\\": next = (place, place + 2)
        default: continue
        }
        return next?.end
      }
      return nil
    }
  }

  /// Returns the index after an escape sequence.
  ///
  /// If the sequence is incomplete, only its introducer is removed. The rest is then harmless, and may be readable text.
  private static func endOfSequence(
    from start: Int, in scalars: [Unicode.Scalar], _ terminators: inout Terminators
  ) -> Int {
    var introducer = scalars[start].value
    var index = start + 1
    if introducer == 0x1b {
      guard index < scalars.count, (0x40...0x5f).contains(scalars[index].value) else { return index }
      // ESC and a letter from columns 4 and 5 represent the corresponding C1 control (ECMA-48 §5.3).
      introducer = scalars[index].value + 0x40
      index += 1
    }
    switch introducer {
    case 0x9b:  // CSI: parameters and intermediates, then one final byte.
      let end = scalars[index...].firstIndex { !(0x20...0x3f).contains($0.value) }
      guard let end, (0x40...0x7e).contains(scalars[end].value) else { return index }
      return end + 1
    case 0x90, 0x98, 0x9d...0x9f:  // DCS, SOS, OSC, PM, APC: a string up to its terminator.
      return terminators.end(from: index, in: scalars) ?? index
    default: return index
    }
  }
}
