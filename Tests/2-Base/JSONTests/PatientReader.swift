/// A JSON reader that reads byte by byte in the simplest possible way. It is the reference for the scanner, which reads
/// eight bytes at once.
struct PatientReader {
  private let bytes: [UInt8]
  private let maximalDepth: Int
  private(set) var offset = 0
  private var depth = 0

  init(_ bytes: [UInt8], maximalDepth: Int = 64) {
    self.bytes = bytes
    self.maximalDepth = maximalDepth
  }

  /// The error thrown when the reader stops at `offset`.
  struct Refusal: Error {}

  mutating func skip() throws(Refusal) {
    switch try next() {
    case "{": try items(until: "}", isObject: true)
    case "[": try items(until: "]", isObject: false)
    case "\"": _ = try string()
    case "t": try word("true")
    case "f": try word("false")
    case "n": try word("null")
    case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": try number()
    default: throw Refusal()
    }
  }

  private mutating func items(until closing: Unicode.Scalar, isObject: Bool) throws(Refusal) {
    guard depth < maximalDepth else { throw Refusal() }
    depth += 1
    offset += 1
    if try next() == closing {
      offset += 1
    } else {
      while true {
        if isObject {
          guard try next() == "\"" else { throw Refusal() }
          _ = try string()
          guard try next() == ":" else { throw Refusal() }
          offset += 1
        }
        try skip()
        let found = try next()
        if found == closing {
          offset += 1
          break
        }
        guard found == "," else { throw Refusal() }
        offset += 1
        if try next() == closing { throw Refusal() }
      }
    }
    depth -= 1
  }

  private mutating func next() throws(Refusal) -> Unicode.Scalar {
    while offset < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[offset]) { offset += 1 }
    return try here()
  }

  private func here() throws(Refusal) -> Unicode.Scalar {
    guard offset < bytes.count else { throw Refusal() }
    return Unicode.Scalar(bytes[offset])
  }

  private mutating func word(_ word: String) throws(Refusal) {
    for scalar in word.unicodeScalars {
      guard try here() == scalar else { throw Refusal() }
      offset += 1
    }
  }

  private mutating func number() throws(Refusal) {
    if try here() == "-" { offset += 1 }
    let start = offset
    try digits()
    if bytes[start] == UInt8(ascii: "0"), offset > start + 1 {
      offset = start
      throw Refusal()
    }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "e") || bytes[offset] == UInt8(ascii: "E") {
      offset += 1
      if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(Refusal) {
    let start = offset
    while offset < bytes.count, ("0"..."9").contains(Unicode.Scalar(bytes[offset])) { offset += 1 }
    guard offset > start else { throw Refusal() }
  }

  /// Reads and decodes a string. Escaped parts are decoded by UTF-16 code units.
  mutating func string() throws(Refusal) -> String {
    guard try next() == "\"" else { throw Refusal() }
    offset += 1
    var text = ""
    var plain: [UInt8] = []
    var units: [UInt16] = []
    func flushed(_ text: String) -> String {
      text + String(decoding: units, as: UTF16.self) + String(decoding: plain, as: UTF8.self)
    }
    while true {
      let scalar = try here()
      if scalar == "\"" || scalar == "\\", !plain.isEmpty {
        text = flushed(text)
        (plain, units) = ([], [])
      }
      if scalar == "\"" {
        offset += 1
        return flushed(text)
      } else if scalar == "\\" {
        units.append(try escapedUnit())
      } else {
        guard scalar.value >= 0x20 else { throw Refusal() }
        if !units.isEmpty {
          text = flushed(text)
          units = []
        }
        plain.append(bytes[offset])
        offset += 1
      }
    }
  }

  private mutating func escapedUnit() throws(Refusal) -> UInt16 {
    offset += 1
    let letters: [Unicode.Scalar: Unicode.Scalar] = [
      "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{c}", "n": "\n", "r": "\r", "t": "\t",
    ]
    let letter = try here()
    if let simple = letters[letter] {
      offset += 1
      return UInt16(simple.value)
    }
    guard letter == "u" else { throw Refusal() }
    offset += 1
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let scalar = try here()
      guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { throw Refusal() }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}
