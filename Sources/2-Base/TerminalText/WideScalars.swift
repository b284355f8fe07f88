/// Scalars that occupy two columns: East_Asian_Width W or F (UAX #11), including blocks reserved for such letters. Wide emoji are
/// recognised by a property of their own.
enum WideScalars {
  /// The ranges in ascending order.
  private static let ranges: [ClosedRange<UInt32>] = [
    // Hangul consonants; brackets; radicals, and marks and letters of Chinese and Japanese.
    0x1100...0x115f, 0x2329...0x232a, 0x2630...0x2637, 0x268a...0x268f, 0x2e80...0x303e, 0x3041...0x3247,
    0x3250...0x4dbf, 0x4dc0...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
    // Vertical and wide forms.
    0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60, 0xffe0...0xffe6,
    // Tangut, Khitan, Nüshu, old and small kana; numbers and signs of divination.
    0x16fe0...0x18dff, 0x1aff0...0x1b2fb, 0x1d300...0x1d376, 0x1f200...0x1f265,
    // The ideographic planes.
    0x20000...0x2fffd, 0x30000...0x3fffd,
  ]

  static func contains(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }
}
