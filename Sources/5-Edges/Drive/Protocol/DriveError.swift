package import HomelineOAuth
internal import JSON

/// Why a request to a drive failed: the server refused the request, or its response cannot be used.
package struct DriveError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The access token is no longer valid and can be renewed.
    case tokenExpired
    /// A new login is needed.
    case loginNeeded
    /// The keys or the signature are wrong, or the configuration does not allow the request.
    case configuration
    case notFound
    /// The library has no space left.
    case full
    /// The failure is temporary: the same request may succeed later.
    case unavailable
    /// Any other error response.
    case refused
    /// The response has an unexpected form.
    case unreadable
    /// The file's content changed during the transfer, or does not match its checksum.
    case changed
    /// A local file could not be read or written.
    case local
    /// A file with this name already exists.
    case exists
  }

  package let kind: Kind
  /// The API's error code; nil if there is none.
  package let code: Int?
  package let description: String
  /// How long the server asks to wait before the next request; nil if it does not state a time.
  package var pause: Duration?

  package init(_ kind: Kind, code: Int? = nil, _ description: String) {
    self.kind = kind
    self.code = code
    self.description = description
  }
}

extension DriveError {
  /// Creates the failure that a response reports; nil if it reports none. Responses with status 200 are also examined: the API sends this
  /// status for some failed deletions and uploads.
  ///
  /// The API reports each of its errors in JSON. Any other body with an error status comes from something between the API and this machine,
  /// so the same request may succeed later.
  /// - Parameter response: its redaction removes secrets from the server's message. Its status is that of a response, never nil.
  package init?(_ response: OAuthResponse) {
    let status = response.status ?? 0
    let report = ErrorReport(response.body)
    if status < 400, !report.isError {
      guard !(300..<400).contains(status) else {
        self.init(.unavailable, "the server redirects to another URL (\(status)), which homeline does not follow")
        return
      }
      return nil
    }
    if !report.isError {
      let substitute = Substitute(response) ?? .other(response)
      self.init(.unavailable, substitute.sentence(from: "the drive's server", status: status))
      return
    }
    let text = report.message.map { ProviderText.cleaned(Array($0.utf8), hiding: response.hiding) } ?? ""
    let quoted = text.isEmpty ? "" : ": \(text)"
    if let code = report.code {
      self.init(Self.kind(ofCode: code), code: code, "the server refused the request (\(code))\(quoted)")
    } else if status < 400 {
      self.init(report.isGrantError ? .loginNeeded : .refused, "the server refused the request\(quoted)")
    } else {
      let kind = report.isGrantError ? .loginNeeded : Self.kind(ofStatus: status)
      self.init(kind, "the server responded with status \(status)\(quoted)")
    }
  }

  /// Whether the server refused the signature, possibly because of the request's time.
  package var isAboutSignature: Bool { code.map { Self.signatureCodes.contains($0) } ?? false }

  /// Whether the server refused the request itself, not the user. The first three digits of a code are an HTTP status.
  package var isBadRequest: Bool { code.map { "\($0)".hasPrefix("400") } ?? false }

  /// Three different codes mean a wrong signature.
  private static let signatureCodes = [40104, 400012, 401041]

  /// Returns the meaning of an error code. Its first three digits are an HTTP status.
  private static func kind(ofCode code: Int) -> Kind {
    switch code {
    case 40101, 40102: .tokenExpired
    case 401010, 40106, 40302, 40303: .loginNeeded
    case 40103: .configuration
    case _ where signatureCodes.contains(code): .configuration
    case 40321: .full
    case 40401, 40402, 40404: .notFound
    case 40903: .exists
    default:
      String(code).count > 3 ? kind(ofStatus: Int(String(code).prefix(3)) ?? 0) : kind(ofStatus: code)
    }
  }

  private static func kind(ofStatus status: Int) -> Kind {
    switch status {
    case 401: .tokenExpired
    case 404: .notFound
    case 408, 429, 500...: .unavailable
    default: .refused
    }
  }
}

/// The error in a response body: `{"error_code":N,"error_msg":"…"}`, `{"result":0,"msg":"…"}`, or, from the token endpoint,
/// `{"error":"…","error_description":"…"}`.
private struct ErrorReport {
  private(set) var code: Int?
  private(set) var message: String?
  private(set) var isError = false
  /// Whether the token endpoint refused the grant (RFC 6749 §5.2).
  private(set) var isGrantError = false

  /// The largest error code. Known codes have at most six digits.
  private static let largestCode = 999_999_999
  /// The maximum size of an examined body. Longer bodies are file contents.
  private static let byteLimit = 65_536

  init(_ body: [UInt8]) {
    guard body.count <= Self.byteLimit, body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return }
    var found = ErrorReport()
    var cursor = JSONCursor(body)
    let isWhole: Void? = try? cursor.members { cursor, name in
      switch name {
      case "error_code":
        let text = try cursor.looseText() ?? ""
        found.code = JSONNumber(text: text).integer(in: 1...Self.largestCode)
        // Any number other than 0 is also an error, but an unknown one.
        if text != "0", text.first.map({ $0.isNumber || $0 == "-" }) ?? false { found.isError = true }
      case "error_msg", "error_description", "msg": found.message = try cursor.looseText() ?? found.message
      case "error":
        let error = try cursor.stringOrSkip()
        found.isError = error?.isEmpty == false
        found.isGrantError = error == "invalid_grant"
        found.message = found.message ?? error
      case "result": if try cursor.looseInteger(in: 0...0) == 0 { found.isError = true }
      default: try cursor.skip()
      }
    }
    guard isWhole != nil else { return }
    self = found
    if code != nil { isError = true }
  }

  private init() {}
}
