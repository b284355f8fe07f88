/// Finds emoji that consist of one or more scalars, according to the grammar in UTS #51 §1.4.9.
enum EmojiSequence {
  private static let joiner: Unicode.Scalar = "\u{200D}"
  private static let emojiStyle: Unicode.Scalar = "\u{FE0F}"
  private static let textStyle: Unicode.Scalar = "\u{FE0E}"
  private static let keycap: Unicode.Scalar = "\u{20E3}"
  private static let tags: ClosedRange<Unicode.Scalar> = "\u{E0020}"..."\u{E007E}"
  private static let cancelTag: Unicode.Scalar = "\u{E007F}"
  private static let regionalIndicators: ClosedRange<Unicode.Scalar> = "\u{1F1E6}"..."\u{1F1FF}"

  /// Returns the end of the emoji that starts at an index; nil if there is none.
  static func end(in scalars: [Unicode.Scalar], at start: Int) -> Int? {
    guard var end = elementEnd(in: scalars, at: start) else { return nil }
    while end < scalars.count, scalars[end] == joiner, let next = elementEnd(in: scalars, at: end + 1) { end = next }
    return end
  }

  /// Returns the end of a flag, a keycap, or an emoji with its style, skin tone or tags.
  private static func elementEnd(in scalars: [Unicode.Scalar], at start: Int) -> Int? {
    func scalar(_ index: Int) -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
    guard let first = scalar(start), first.properties.isEmoji else { return nil }
    if regionalIndicators.contains(first) {
      return scalar(start + 1).map(regionalIndicators.contains) == true ? start + 2 : nil
    }
    let isStyled = scalar(start + 1) == emojiStyle
    // Digits, #, *, © and ® are ordinary characters unless a style or a keycap follows.
    if first.value < 0x100 {
      if "0"..."9" ~= first || first == "#" || first == "*" {
        let end = isStyled ? start + 2 : start + 1
        return scalar(end) == keycap ? end + 1 : nil
      }
      return isStyled ? start + 2 : nil
    }
    if scalar(start + 1) == textStyle { return nil }
    var end = start + 1
    // Emoji that are in colour by default take no style.
    if isStyled, !first.properties.isEmojiPresentation {
      end += 1
    } else if first.properties.isEmojiModifierBase, scalar(end)?.properties.isEmojiModifier == true {
      end += 1
    }
    var tagEnd = end
    while let tag = scalar(tagEnd), tags.contains(tag) { tagEnd += 1 }
    return tagEnd > end && scalar(tagEnd) == cancelTag ? tagEnd + 1 : end
  }
}
