internal import Glibc
internal import HTTP

/// Replaces the addresses of pictures. A provider does not know its port, so it writes addresses with the host `img.example`. The server
/// replaces this host with its own.
enum PictureAddress {
  /// The path before the name of a picture.
  static let path = "/media/"

  private static let mark = Array("img.example/".utf8)
  /// The position of the dot in the mark.
  private static let dot = 3
  private static let schemes = [Array("https://".utf8), Array("http://".utf8)]

  static func localize(_ response: inout Response, port: UInt16) {
    guard response.headers.first(.contentType)?.hasPrefix("application/json") == true else { return }
    response.body = localized(response.body, Array("http://127.0.0.1:\(port)\(path)".utf8))
  }

  private static func localized(_ bytes: [UInt8], _ address: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    while let found = markPosition(in: bytes, from: index) {
      index = found + mark.count
      guard let scheme = schemes.first(where: { bytes[copied..<found].suffix($0.count) == $0[...] }) else { continue }
      if result.isEmpty { result.reserveCapacity(bytes.count * 2) }
      result += bytes[copied..<found - scheme.count]
      result += address
      copied = index
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }

  /// Returns where the mark first occurs at or after `start`. memchr(3) finds its dot much faster than a loop, especially in a debug build.
  private static func markPosition(in bytes: [UInt8], from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress else { return nil }
      var place = start + dot
      while place < bytes.count,
        let found = unsafe memchr(base + place, Int32(UInt8(ascii: ".")), bytes.count - place)
      {
        let first = unsafe UnsafeRawPointer(found) - base - dot
        let isMark = unsafe mark.withUnsafeBytes {
          unsafe first + $0.count <= bytes.count && memcmp(base + first, $0.baseAddress!, $0.count) == 0
        }
        if isMark { return first }
        place = first + dot + 1
      }
      return nil
    }
  }
}
