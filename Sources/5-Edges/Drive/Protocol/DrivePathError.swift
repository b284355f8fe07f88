internal import Bytes

/// The reason a path cannot be used in requests, and the path.
package enum DrivePathError: Error, Sendable, Hashable, CustomStringConvertible {
  case character(UInt8, String)
  case relative(String)
  case tooLong(String, limit: Int)

  package var description: String {
    switch self {
    case .character(UInt8(ascii: "|"), let path):
      "\(Self.shown(path)): a name in the drive must not contain |, which separates paths in requests"
    case .character(let byte, let path):
      "\(Self.shown(path)): a name in the drive must not contain \(Self.name(of: byte))"
    case .relative(let path): "\(Self.shown(path)): a path in the drive must not contain the components . or .."
    case .tooLong(let path, let limit):
      "\(Self.shown(String(path.prefix(80))))…: a path in the drive must not be longer than \(limit) bytes"
    }
  }

  /// Returns the path with its control characters made visible.
  private static func shown(_ path: String) -> String {
    path.unicodeScalars.map { scalar in
      switch scalar {
      case "\t": "\\t"
      case "\n": "\\n"
      case "\r": "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }

  private static func name(of byte: UInt8) -> String {
    switch byte {
    case 0x09: "a tab"
    case 0x0A: "a line feed"
    case 0x0D: "a carriage return"
    case 0x1B: "an escape character"
    default: "the control character U+00" + Hexadecimal.text([byte]).uppercased()
    }
  }
}
