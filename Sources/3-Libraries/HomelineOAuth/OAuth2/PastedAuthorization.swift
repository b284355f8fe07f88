internal import Bytes
internal import OAuthValues

/// The text that the user pastes if the redirect cannot reach this machine: the URL from the browser, its query, or just the code.
public enum PastedAuthorization: Sendable, Hashable {
  /// A URL or a query, or `CODE&state=STATE` as displayed by snac.
  case response(AuthorizationResponse)
  /// A code. It belongs to the only pending login.
  case code(OAuth.Secret)
  /// The text is neither a URL nor a query nor a code.
  case unrecognized

  /// The maximum length of a code in bytes.
  public static let codeLimit = 4_096

  /// Parses the text. Surrounding whitespace, quotes and angle brackets are ignored.
  public init(_ line: String) {
    let pasted = PastedRedirect.unwrapped(Array(line.utf8))
    let beforeFragment = pasted.prefix { $0 != UInt8(ascii: "#") }
    if let mark = beforeFragment.firstIndex(of: UInt8(ascii: "?")) {
      self = .response(AuthorizationResponse(query: Array(beforeFragment[(mark + 1)...])))
    } else if let response = Self.codeAndState(pasted) {
      self = .response(response)
    } else if Self.isQuery(beforeFragment) {
      self = .response(AuthorizationResponse(query: Array(beforeFragment)))
    } else if Self.isCode(pasted) {
      self = .code(OAuth.Secret(bytes: Array(pasted)))
    } else {
      self = .unrecognized
    }
  }

  /// Parses `CODE&state=STATE`. The code and the state are not decoded, because the page shows them unencoded.
  private static func codeAndState(_ bytes: ArraySlice<UInt8>) -> AuthorizationResponse? {
    let parts = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    guard parts.count == 2, isCode(parts[0]), !isQuery(parts[0]), parts[1].starts(with: "state=".utf8) else {
      return nil
    }
    let state = parts[1].dropFirst(6)
    guard isCode(state) else { return nil }
    return .granted(
      state: String(decoding: state, as: UTF8.self), code: OAuth.Secret(bytes: Array(parts[0])), issuer: nil)
  }

  /// Returns whether the text contains one of the redirect's parameters. A code may also contain `=`.
  private static func isQuery(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "&")).contains { segment in
      AuthorizationResponse.names.contains { segment.starts(with: "\($0)=".utf8) }
    }
  }

  private static func isCode(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes.count <= codeLimit, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
    return !String(decoding: bytes, as: UTF8.self).contains("://")
  }
}
