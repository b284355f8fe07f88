/// Writes pictures with at most 256 colours as PNG (ISO/IEC 15948). The pixels are not compressed (RFC 1951 §3.2.4), so no library is
/// needed.
enum PNGWriter {
  /// Returns a PNG file.
  /// - Parameters:
  ///   - palette: red, green and blue of each colour, at most 256 of them.
  ///   - pixels: the colour of each pixel, row by row from the top.
  static func png(width: Int, height: Int, palette: [(UInt8, UInt8, UInt8)], pixels: [UInt8]) -> [UInt8] {
    precondition(pixels.count == width * height && palette.count <= 256, "each pixel has a colour")
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // Eight bits per pixel, indexed colours, no interlacing.
    chunk("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 3, 0, 0, 0], to: &bytes)
    chunk("PLTE", palette.flatMap { [$0.0, $0.1, $0.2] }, to: &bytes)
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for row in 0..<height {
      rows.append(0)  // No filter.
      rows += pixels[row * width..<(row + 1) * width]
    }
    chunk("IDAT", zlib(rows), to: &bytes)
    chunk("IEND", [], to: &bytes)
    return bytes
  }

  private static func chunk(_ type: StaticString, _ content: [UInt8], to bytes: inout [UInt8]) {
    let checked = Array(type.description.utf8) + content
    bytes += bigEndian(UInt32(content.count)) + checked + bigEndian(crc32(checked))
  }

  /// Returns the content in the zlib format (RFC 1950), with uncompressed blocks.
  private static func zlib(_ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let length = min(content.count - start, 65_535)
      let isLast = start + length == content.count
      let size = UInt16(length)
      bytes += [isLast ? 1 : 0, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
      bytes += content[start..<start + length]
      start += length
    } while start < content.count
    return bytes + bigEndian(adler32(content))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Returns the CRC of ISO/IEC 15948 annex D.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
  }

  private static let crcTable: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }

  /// Returns the Adler-32 checksum (RFC 1950 §8.2).
  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (one, two): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      one = (one + UInt32(byte)) % 65_521
      two = (two + one) % 65_521
    }
    return two << 16 | one
  }
}
