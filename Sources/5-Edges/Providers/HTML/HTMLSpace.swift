/// HTML white space (WHATWG Infra §4.6): tab, line feed, form feed, carriage return and space.
enum HTMLSpace {
  static func contains(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) && byte != 0x0b }
}
