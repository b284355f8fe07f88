internal import Bytes
internal import OAuthValues

/// The text that the user pastes if the redirect cannot reach this machine: the URL from the browser, its query, or just the verifier.
public enum PastedRedirect: Sendable, Hashable {
  /// A URL or a query.
  case callback(OAuth.Callback)
  /// A verifier (PIN), which belongs to the only pending login.
  case verifier(OAuth.Secret)
  /// The text is neither a URL nor a query nor a verifier.
  case unrecognized

  /// The maximum length of a verifier in bytes. X uses 7 digits; other servers use about a hundred characters.
  public static let verifierLimit = 512

  /// Parses the text. Surrounding whitespace, quotes and angle brackets are ignored.
  public init(_ text: String) {
    let pasted = Self.unwrapped(Array(text.utf8))
    let beforeFragment = pasted.prefix { $0 != UInt8(ascii: "#") }
    if let mark = beforeFragment.firstIndex(of: UInt8(ascii: "?")) {
      self = .callback(OAuth.Callback(query: Array(beforeFragment[(mark + 1)...])))
    } else if Self.isQuery(beforeFragment) {
      self = .callback(OAuth.Callback(query: Array(beforeFragment)))
    } else if Self.isVerifier(pasted) {
      self = .verifier(OAuth.Secret(bytes: Array(pasted)))
    } else {
      self = .unrecognized
    }
  }

  static func unwrapped(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let isWrapping = { (byte: UInt8) in byte <= 0x20 || "\"'<>".utf8.contains(byte) }
    var rest = bytes.drop(while: isWrapping)
    while let last = rest.last, isWrapping(last) { rest.removeLast() }
    return rest
  }

  /// Returns whether the text contains one of the callback's parameters. A verifier may also contain `=`, because some servers use base64.
  private static func isQuery(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "&")).contains { segment in
      OAuth.Callback.names.contains { segment.starts(with: "\($0)=".utf8) }
    }
  }

  private static func isVerifier(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes.count <= verifierLimit, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return false
    }
    return !String(decoding: bytes, as: UTF8.self).contains("://")
  }
}
