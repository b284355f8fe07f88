/// The line before a chunk: its size in hexadecimal digits, followed by extensions, which are ignored (RFC 9112 §7.1).
struct ChunkSize {
  /// The size of the chunk in bytes; `Int.max` if the number does not fit.
  let size: Int
  /// The length of the extensions in bytes.
  let extensionLength: Int

  init(_ line: ArraySlice<UInt8>) throws(RequestError) {
    let digits = line.prefix { $0.hexDigitValue != nil }
    guard !digits.isEmpty else { throw RequestError(.badRequest, "a chunk has no size") }
    let rest = line[digits.endIndex...]
    if !rest.isEmpty {
      // chunk-ext = *( BWS ";" … ): recipients disagree about whitespace that no extension follows.
      guard rest.first(where: { !$0.isBlank }) == UInt8(ascii: ";") else {
        throw RequestError(.badRequest, "the size of a chunk is malformed")
      }
    }
    size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
    extensionLength = rest.count
  }
}
