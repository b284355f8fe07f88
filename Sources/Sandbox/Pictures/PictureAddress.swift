internal import HTTP

/// Where the pictures of people and posts lie. A provider as a value does not know its port, and writes them at the made-up host
/// `img.example`; an answer that leaves says the server's own address instead.
enum PictureAddress {
  /// Before the name of each picture.
  static let path = "/media/"

  private static let mark = Array("img.example/".utf8)
  private static let schemes = [Array("https://".utf8), Array("http://".utf8)]

  static func localize(_ response: inout Response, port: UInt16) {
    guard response.headers.first(.contentType)?.hasPrefix("application/json") == true else { return }
    response.body = localized(response.body, Array("http://127.0.0.1:\(port)\(path)".utf8))
  }

  private static func localized(_ bytes: [UInt8], _ address: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    let last = bytes.count - mark.count
    while index <= last {
      // The rest is looked at only where it can begin.
      guard bytes[index] == mark[0], bytes[index + 1] == mark[1], bytes[index..<index + mark.count] == mark[...],
        let scheme = schemes.first(where: { bytes[copied..<index].suffix($0.count) == $0[...] })
      else {
        index += 1
        continue
      }
      if result.isEmpty { result.reserveCapacity(bytes.count * 2) }
      result += bytes[copied..<index - scheme.count]
      result += address
      index += mark.count
      copied = index
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }
}
