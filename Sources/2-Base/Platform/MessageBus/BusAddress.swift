/// The address of this user's session bus.
package struct BusAddress: Sendable, Hashable {
  let text: String

  /// Finds the bus in `DBUS_SESSION_BUS_ADDRESS`, otherwise the bus that systemd runs for the user (`$XDG_RUNTIME_DIR/bus`).
  /// - Returns: `nil` if neither variable is set.
  package init?(environment: [String: String]) {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
      text = address
    } else if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
      text = "unix:path=\(Self.escaped("\(folder)/bus"))"
    } else {
      return nil
    }
  }

  /// Escapes a value of an address (D-Bus Specification, "Server Addresses").
  private static func escaped(_ value: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
        UInt8(ascii: "."), UInt8(ascii: "*"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
