/// Text that attacks the programs that display it.
enum HostileText {
  /// A mark replaced with bytes that are not valid UTF-8.
  private static let mark = "\u{e000}"

  static func name(_ name: String) -> String {
    "\u{202e}" + name + "\u{1b}]0;title\u{7}" + String(repeating: "x", count: 5_000)
  }

  static func html(_ html: String) -> String {
    "\u{0}\u{1b}[2J\u{202e}" + mark + "<script>alert(1)</script><b onclick=x" + ">" + html
      + "</b><a href='javascript:x'>y</a>"
  }

  /// Returns the JSON with invalid bytes in place of the marks.
  static func spoiled(_ json: [UInt8]) -> [UInt8] {
    let mark = Array(mark.utf8)
    var spoiled: [UInt8] = []
    spoiled.reserveCapacity(json.count)
    var index = 0
    while index < json.count {
      if json[index] == mark[0], json[index...].starts(with: mark) {
        spoiled += [0xff, 0xc3]
        index += mark.count
      } else {
        spoiled.append(json[index])
        index += 1
      }
    }
    return spoiled
  }
}
