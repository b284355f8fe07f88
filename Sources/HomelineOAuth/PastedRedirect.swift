/// What a user pastes where no redirect could arrive: the whole address from the browser, its query, or just the verifier.
public enum PastedRedirect: Sendable, Hashable {
  /// An address or a query.
  case callback(Callback)
  /// A verifier (a PIN) alone; it belongs to the one login that is pending.
  case verifier(Secret)
  /// None of these.
  case notUnderstood

  /// The longest verifier taken, in bytes. X's has 7 digits, others have a hundred letters.
  public static let verifierLimit = 512

  /// Reads the text. Blanks, quotes and angle brackets around it are no part of it.
  public init(_ text: String) {
    let pasted = Self.unwrapped(Array(text.utf8))
    let beforeFragment = pasted.prefix { $0 != UInt8(ascii: "#") }
    if let mark = beforeFragment.firstIndex(of: UInt8(ascii: "?")) {
      self = .callback(Callback(query: Array(beforeFragment[(mark + 1)...])))
    } else if Self.isQuery(beforeFragment) {
      self = .callback(Callback(query: Array(beforeFragment)))
    } else if Self.isVerifier(pasted) {
      self = .verifier(Secret(bytes: Array(pasted)))
    } else {
      self = .notUnderstood
    }
  }

  static func unwrapped(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let isWrapping = { (byte: UInt8) in byte <= 0x20 || "\"'<>".utf8.contains(byte) }
    var rest = bytes.drop(while: isWrapping)
    while let last = rest.last, isWrapping(last) { rest.removeLast() }
    return rest
  }

  /// Whether a segment has one of the callback's names. A verifier alone may hold `=`, being base64 at some servers.
  private static func isQuery(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "&")).contains { segment in
      Callback.names.contains { segment.starts(with: "\($0)=".utf8) }
    }
  }

  private static func isVerifier(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes.count <= verifierLimit, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return false
    }
    return !String(decoding: bytes, as: UTF8.self).contains("://")
  }
}
