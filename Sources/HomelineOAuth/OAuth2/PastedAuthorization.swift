/// What a user pastes where no redirect could arrive: the whole address from the browser, its query, or just the code.
public enum PastedAuthorization: Sendable, Hashable {
  /// An address or a query; or `CODE&state=STATE`, which snac shows.
  case response(AuthorizationResponse)
  /// A code alone; it belongs to the one login that is pending.
  case code(Secret)
  /// None of these.
  case notUnderstood

  /// The longest code taken, in bytes.
  public static let codeLimit = 4_096

  /// Reads the text. Blanks, quotes and angle brackets around it are no part of it.
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
      self = .code(Secret(bytes: Array(pasted)))
    } else {
      self = .notUnderstood
    }
  }

  /// Both are taken as they stand: what a page shows is not encoded.
  private static func codeAndState(_ bytes: ArraySlice<UInt8>) -> AuthorizationResponse? {
    let parts = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    guard parts.count == 2, isCode(parts[0]), !isQuery(parts[0]), parts[1].starts(with: "state=".utf8) else {
      return nil
    }
    let state = parts[1].dropFirst(6)
    guard isCode(state) else { return nil }
    return .granted(state: String(decoding: state, as: UTF8.self), code: Secret(bytes: Array(parts[0])), issuer: nil)
  }

  /// Whether a segment has one of the redirect's names. A code alone may hold `=`.
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
