internal import CUTF8Proc

/// The text that X counts: in Normalization Form C, with its addresses and emoji recognised (twitter-text, configuration 3).
///
/// An unknown combination of emoji counts as one emoji. X counts its parts, so it may refuse such text.
struct WeightedText {
  /// The weight of each address, regardless of its length.
  static let addressWeight = 23

  private let scalars: [Unicode.Scalar]

  init(_ text: String) { scalars = Self.normalized(text) }

  /// The weighted length.
  var weight: Int {
    let links = LinkScanner(scalars).links()
    var next = links.startIndex
    var weight = 0
    var index = 0
    while index < scalars.count {
      if next < links.endIndex, links[next].lowerBound == index {
        weight += Self.addressWeight
        index = links[next].upperBound
        next += 1
      } else if let end = EmojiSequence.end(in: scalars, at: index) {
        weight += 2
        index = end
      } else {
        weight += Self.weight(of: scalars[index])
        index += 1
      }
    }
    return weight
  }

  private static func weight(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0...4351, 8192...8205, 8208...8223, 8242...8247: 1
    default: 2
    }
  }

  /// Returns the scalars in Normalization Form C, with each line break as one line feed.
  private static func normalized(_ text: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.utf8.count)
    for scalar in composed(text) {
      if scalar == "\n", scalars.last == "\r" { scalars.removeLast() }
      scalars.append(scalar)
    }
    return scalars
  }

  private static func composed(_ text: String) -> [Unicode.Scalar] {
    // Below U+0300 there are no combining characters, so nothing can be composed.
    if text.unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return Array(text.unicodeScalars) }
    var bytes = Array(text.utf8)
    var composed: UnsafeMutablePointer<UInt8>?
    let count = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe utf8proc_map(
        buffer.baseAddress, buffer.count, &composed,
        utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue))
    }
    // A String is valid Unicode, so the library can only have run out of memory.
    guard count >= 0, let composed = unsafe composed else { fatalError("libutf8proc could not normalise text") }
    defer { unsafe free(composed) }
    return Array(
      unsafe String(decoding: UnsafeBufferPointer(start: composed, count: count), as: UTF8.self).unicodeScalars)
  }
}
