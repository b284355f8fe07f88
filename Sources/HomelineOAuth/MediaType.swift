/// The one question that signing asks of a Content-Type (RFC 9110 §8.3.1).
enum MediaType {
  /// Whether it is `application/x-www-form-urlencoded`, in any letter case and with any parameters behind it:
  /// `; charset=UTF-8` does not make it another media type.
  static func isForm(_ contentType: String) -> Bool {
    let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 }
    return type.map { ASCII.lowercased($0) }.elementsEqual("application/x-www-form-urlencoded".utf8)
  }
}
