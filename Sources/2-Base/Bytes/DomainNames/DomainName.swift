internal import CIDN

/// Host names with non-ASCII letters (IDNA 2008, RFC 5890 to 5893, with the non-transitional mapping of UTS #46). libidn2 converts them,
/// and is loaded only for such a name.
package enum DomainName {
  /// Returns a host name as it is sent: in lower case, and with A-labels such as `xn--mller-kva.example` in place of non-ASCII letters.
  /// A name in ASCII is returned unchanged.
  /// - Throws: ``DomainNameError`` if the name is not a valid domain name, or libidn2 cannot be loaded.
  static func ascii(_ name: String) throws(DomainNameError) -> String {
    if isASCII(name) { return name }
    guard name.utf8.count <= longest else { throw .invalid(name, reason: "it is too long") }
    // For these, libidn2 would give no reason, or stop at a zero byte.
    if name.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F }) {
      throw .invalid(name, reason: "it contains a space or a control character")
    }
    if let failure = unsafe cidn_start() { throw .missingLibrary(name, unsafe String(cString: failure)) }
    let ascii: String
    switch unsafe converted(name, by: cidn_to_ascii) {
    case .success(let text): ascii = text.lowercased()
    case .failure(let error): throw .invalid(name, reason: error.description)
    }
    // UTS #46 maps letters such as the full-width slash to characters that would end the host.
    guard !ascii.isEmpty, ascii.utf8.allSatisfy(isInHost) else {
      throw .invalid(name, reason: "it contains a character that names of servers cannot contain")
    }
    return ascii
  }

  /// Returns a host name, or a host and a port, for display: `müller.example` for `xn--mller-kva.example`. A name stays as it is if libidn2
  /// cannot be loaded, or if the letters of a label belong to different scripts: it could be mistaken for another name (UTS #39).
  package static func shown(_ host: String) -> String {
    guard host.utf8.count <= longest, isASCII(host), host.contains("xn--") else { return host }
    let name = host.prefix { $0 != ":" }
    guard unsafe cidn_start() == nil,
      case .success(let text) = unsafe converted(String(name), by: cidn_to_unicode),
      (try? ascii(text)) == String(name),
      text.split(separator: ".").allSatisfy({ Script.areShown(in: $0.unicodeScalars) })
    else { return host }
    return text + host[name.endIndex...]
  }

  /// Returns an address, or a host with an optional port, with its host in the form that is sent. Everything else is unchanged.
  /// - Throws: ``DomainNameError``.
  package static func addressInASCII(_ address: String) throws(DomainNameError) -> String {
    if isASCII(address) { return address }
    let scalars = address.unicodeScalars
    let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
    let end = scalars[start...].firstIndex { "/?#\\".unicodeScalars.contains($0) } ?? scalars.endIndex
    let hostStart = scalars[start..<end].lastIndex(of: "@").map { scalars.index(after: $0) } ?? start
    let hostEnd = scalars[hostStart..<end].firstIndex(of: ":") ?? end
    let host = try ascii(String(address[hostStart..<hostEnd]))
    return address[..<hostStart] + host + address[hostEnd...]
  }

  /// The maximum length of a name in bytes. A domain name has at most 253 characters; non-ASCII letters take up to four bytes.
  private static let longest = 1024

  private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  private static func isInHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private struct ConversionError: Error {
    let description: String
  }

  private static func converted(
    _ text: String, by convert: (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Result<String, ConversionError> {
    var result: UnsafeMutablePointer<CChar>?
    let code = unsafe text.withCString { unsafe convert($0, &result) }
    guard code == 0, let result = unsafe result else {
      return .failure(ConversionError(description: unsafe String(cString: cidn_description(code))))
    }
    defer { unsafe cidn_free(result) }
    return .success(unsafe String(cString: result))
  }
}

extension DomainName {
  /// Whether libidn2 can be loaded; the dynamic loader's message if it cannot.
  package static var libraryFault: String? { unsafe cidn_start().map { unsafe String(cString: $0) } }
}
