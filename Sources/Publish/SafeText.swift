/// Text from elsewhere made fit for a terminal: it can neither drive it nor reorder what stands around it.
///
/// Taken out are control characters (C0, DEL, C1), whole escape sequences (ECMA-48 §5.4 CSI, and OSC, DCS, APC, PM, SOS with their
/// terminator), and the bidirectional embeddings, overrides and isolates of UAX #9 §2. Right-to-left letters themselves stay. The time
/// that this takes grows with the length of the text alone, whatever stands in it.
package enum SafeText {
  /// The text in lines; a tab becomes a space. An empty text has no lines.
  package static func lines(of text: String) -> [String] {
    let safe = cleaned(text)
    return safe.isEmpty ? [] : safe.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The text in one line: a line break becomes a space.
  package static func line(of text: String) -> String {
    let safe = cleaned(text)
    // Most are one line already, which a look at the bytes tells; putting lines together looks at each character.
    guard safe.utf8.contains(UInt8(ascii: "\n")) else { return safe }
    return safe.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
  }

  private static func cleaned(_ text: String) -> String {
    if isSafe(text) { return text }
    let scalars = Array(text.unicodeScalars)
    var terminators = Terminators()
    var safe = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      switch scalar.value {
      case 0x0d:
        // One break for CR LF.
        if index + 1 == scalars.count || scalars[index + 1] != "\n" { safe.append("\n") }
        index += 1
      case 0x0a, 0x85, 0x2028, 0x2029:
        safe.append("\n")
        index += 1
      case 0x09:
        safe.append(" ")
        index += 1
      case 0x1b, 0x90, 0x98, 0x9b, 0x9d...0x9f: index = endOfSequence(from: index, in: scalars, &terminators)
      case ..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069: index += 1
      default:
        safe.append(scalar)
        index += 1
      }
    }
    return String(safe)
  }

  /// Whether there is nothing to take out, and no line break but LF: so are most texts. What may have to go begins in UTF-8 with a byte
  /// of C0, with DEL, or with C2 or E2.
  private static func isSafe(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == 0x0a || $0 >= 0x20 && $0 != 0x7f && $0 != 0xc2 && $0 != 0xe2 }
  }

  /// How far a string's terminator is looked for: more than any real one needs.
  private static let longestString = 4096

  /// Finds the terminators of control strings, from the first one to the last: no scalar is looked at twice.
  private struct Terminators {
    /// Where the next one begins, and where the text goes on behind it.
    private var next: (begin: Int, end: Int)?
    /// Up to where was looked.
    private var looked = 0

    /// - Parameter start: no lower than at the call before.
    /// - Returns: where the text goes on behind the first terminator from `start` on, if it is near.
    mutating func end(from start: Int, in scalars: [Unicode.Scalar]) -> Int? {
      let limit = min(start + longestString, scalars.count)
      if let next, next.begin >= start { return next.begin < limit ? next.end : nil }
      next = nil
      looked = max(looked, start)
      while looked < limit {
        let place = looked
        looked += 1
        switch scalars[place].value {
        // ST, or BEL as terminals take it.
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

  /// Where the text goes on behind an escape sequence.
  ///
  /// A sequence that is not complete loses its introducer only: the rest is harmless without it, and may be all there is to read.
  private static func endOfSequence(
    from start: Int, in scalars: [Unicode.Scalar], _ terminators: inout Terminators
  ) -> Int {
    var introducer = scalars[start].value
    var index = start + 1
    if introducer == 0x1b {
      guard index < scalars.count, (0x40...0x5f).contains(scalars[index].value) else { return index }
      // ESC and a letter of columns 4 and 5 is the C1 control of the same place (ECMA-48 §5.3).
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
