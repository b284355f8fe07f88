/// The line before a chunk: its size in hexadecimal digits, then extensions that mean nothing here (RFC 9112 §7.1).
struct ChunkSize {
  /// Bytes in the chunk; one too large for the machine comes out as the largest.
  let size: Int
  /// Bytes of extensions.
  let extensionLength: Int

  init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
    let digits = line.prefix { $0.hexDigitValue != nil }
    guard !digits.isEmpty else { throw RequestRefusal(.badRequest, "a chunk without a size") }
    let rest = line[digits.endIndex...]
    if !rest.isEmpty {
      // chunk-ext = *( BWS ";" … ): whitespace alone behind the size is where recipients disagree.
      guard rest.first(where: { !$0.isBlank }) == UInt8(ascii: ";") else {
        throw RequestRefusal(.badRequest, "the size of a chunk is malformed")
      }
    }
    size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
    extensionLength = rest.count
  }
}
