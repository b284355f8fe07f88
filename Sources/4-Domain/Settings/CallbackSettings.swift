package import Bytes

/// The address that the provider should redirect the browser to.
package struct CallbackSettings: Sendable, Hashable {
  /// The form of the address. In either case, the program listens on both loopback addresses.
  package enum Host: String, Sendable, Hashable, CaseIterable {
    case address = "127.0.0.1"
    case localhost
  }

  package var host: Host
  /// The port; 0 selects a free one.
  package var port: UInt16
  /// The path. It begins with a slash and consists of letters, digits and `-._~/`, so that every provider compares and sends it unchanged.
  package var path: String

  package init(
    host: Host = .address, port: UInt16 = ProgramDefaults.callbackPort, path: String = ProgramDefaults.callbackPath
  ) {
    self.host = host
    self.port = port
    self.path = path
  }

  /// Returns the address to register and send, once the listening port is known. A path from a configuration never causes an error.
  package func url(port: UInt16) throws(RequestURLError) -> RequestURL {
    try RequestURL("http://\(host.rawValue):\(port)\(path)")
  }
}

extension CallbackSettings {
  static let keys = ["host", "port", "path"]

  init?(_ member: ConfigurationTree.Member, _ problems: inout Problems) {
    guard
      let values = KeyedValues(
        member.value, path: member.name, offset: member.offset, keys: Self.keys, &problems)
    else { return nil }
    let host = values.choice("host", of: Host.allCases.map(\.rawValue), &problems).flatMap(Host.init(rawValue:))
    let port = values.integer("port", in: 0...65_535, &problems).map { UInt16($0) }
    let path = values.string("path", &problems)
    if let path, let fault = Self.fault(ofPath: path) { values.note(fault, at: "path", &problems) }
    self.init(
      host: host ?? .address, port: port ?? ProgramDefaults.callbackPort, path: path ?? ProgramDefaults.callbackPath)
  }

  /// Returns the reason a path is refused; nil if it is accepted. Providers compare the callback byte by byte, and browsers normalise `..`
  /// and escapes, so only a path that no program rewrites is accepted.
  private static func fault(ofPath path: String) -> String? {
    guard path.hasPrefix("/") else { return "must begin with /" }
    if path.utf8.count > 256 { return "is longer than 256 bytes" }
    if path.utf8.contains(UInt8(ascii: "?")) { return "must not have a query" }
    if path.utf8.contains(UInt8(ascii: "#")) { return "must not have a fragment" }
    guard path.utf8.allSatisfy(isPlain) else { return "may contain only letters, digits and - . _ ~ /" }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    // A trailing slash is allowed, but no segment before it may be empty.
    if segments.dropLast().contains("") { return "must not contain //" }
    if segments.contains(where: { $0 == "." || $0 == ".." }) { return "must not contain . or .. as a segment" }
    return nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~/".utf8.contains(byte)
    }
  }
}
