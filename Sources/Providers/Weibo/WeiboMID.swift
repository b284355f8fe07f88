/// The short form of a post's id, as the addresses of weibo.com have it: each seven digits, counted from the end, are four
/// characters in base 62.
enum WeiboMID {
  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  /// - Parameter id: a decimal number of any length.
  static func short(_ id: String) -> String? {
    guard DecimalID.isDecimal(id) else { return nil }
    var rest = Array(id.utf8)[...]
    var short: [UInt8] = []
    while !rest.isEmpty {
      var number = rest.suffix(7).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      var group: [UInt8] = []
      for _ in 0..<4 {
        group.append(alphabet[number % 62])
        number /= 62
      }
      short = group.reversed() + short
      rest = rest.dropLast(7)
    }
    let begin = short.firstIndex { $0 != UInt8(ascii: "0") } ?? short.endIndex
    return begin == short.endIndex ? nil : String(decoding: short[begin...], as: UTF8.self)
  }
}
