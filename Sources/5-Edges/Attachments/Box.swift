/// A box in the ISO base media format, or an atom of QuickTime (ISO/IEC 14496-12 §4.2).
struct Box {
  let name: String
  /// The offset of the header.
  let start: Int
  /// The offset of the content.
  let payload: Int
  let end: Int

  var count: Int { end - payload }

  /// Reads the header at an offset. A size of zero means that the box extends to the end.
  /// - Returns: nil if the size is wrong.
  init?(_ scanner: inout FileScanner, at offset: Int, until end: Int) throws(ScanError) {
    try scanner.move(to: offset)
    start = offset
    var size = try scanner.integer(bytes: 4)
    name = try scanner.code()
    if size == 1 {
      guard end - offset >= 16 else { return nil }
      size = try scanner.integer(bytes: 8)
    }
    if size == 0 { size = end - offset }
    payload = scanner.offset
    guard size >= payload - start, size <= end - start else { return nil }
    self.end = start + size
  }
}
