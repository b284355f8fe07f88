/// A JSON value in the format of Twitter's API v1.1: compact, with `\uXXXX` for non-ASCII characters and `\/` for
/// slashes.
enum RawValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
  case text(String)
  case number(Int)
  case flag(Bool)
  case null
  case array([RawValue])
  case object([(name: String, value: RawValue)])

  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral number: Int) { self = .number(number) }
  init(booleanLiteral flag: Bool) { self = .flag(flag) }
  init(nilLiteral: ()) { self = .null }
  init(arrayLiteral values: RawValue...) { self = .array(values) }

  func write(to bytes: inout [UInt8]) {
    switch self {
    case .text(let text): Self.write(text, to: &bytes)
    case .number(let number): bytes += String(number).utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .null: bytes += "null".utf8
    case .array(let values):
      Self.write(values, between: "[]", to: &bytes) { value, bytes in value.write(to: &bytes) }
    case .object(let members):
      Self.write(members, between: "{}", to: &bytes) { member, bytes in
        Self.write(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between brackets: String, to bytes: inout [UInt8],
    _ body: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(brackets.utf8.first!)
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      body(element, &bytes)
    }
    bytes.append(brackets.utf8.last!)
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for unit in text.utf16 {
      switch unit {
      case 0x22, 0x2f, 0x5c: bytes += [UInt8(ascii: "\\"), UInt8(unit)]
      case 0x0a: bytes += "\\n".utf8
      case 0x20..<0x7f: bytes.append(UInt8(unit))
      default:
        let digits = String(unit, radix: 16)
        bytes += "\\u".utf8
        bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
        bytes += digits.utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
