internal import Bytes
internal import OAuthValues

/// The error found in a response body, before it is cleaned for display.
struct ErrorText {
  /// The provider's error number.
  var code: Int?
  /// The value of `oauth_problem`.
  var problem: String?
  /// The message as received.
  var text: String
  /// The `reason` of a problem document, otherwise the last part of its `type` (RFC 9457 §3.1.1), such as `usage-capped`.
  var type: String?
}

extension ErrorText {
  /// The kind of body, determined from its content.
  enum Body {
    /// The body is data without an error.
    case nothing
    /// The body is a structured error.
    case error(ErrorText)
    /// The body is an HTML page.
    case page
    /// The body is plain text, such as `Error: …` from MediaWiki.
    case plain(ErrorText)
  }

  /// The maximum number of bytes to examine.
  static let byteLimit = 65_536

  /// Determines the kind of a body from its first bytes, because content types are unreliable (X sends form data as `text/html`).
  static func read(_ body: [UInt8]) -> Body {
    let start = Array(body.prefix(byteLimit).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF })
    switch start.first {
    case nil:
      return .nothing
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      // A body that is truncated, or too long to be an error, is treated as data.
      guard let json = ErrorJSON(start), let error = ErrorText(json: json) else { return .nothing }
      return .error(error)
    case UInt8(ascii: "<"):
      if isPage(start) { return .page }
      return ErrorText(xml: start).map { .error($0) } ?? .page
    default:
      if let form = form(start) { return form }
      // A malformed token response must not be quoted, because it contains the token's secret.
      if holdsSecret(start) { return .nothing }
      return .plain(ErrorText(code: nil, problem: nil, text: String(decoding: start, as: UTF8.self)))
    }
  }

  private static func holdsSecret(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains("oauth_token_secret")
  }

  /// Parses form data, which starts with a name without spaces, followed by `=`. Returns nil for plain text.
  private static func form(_ bytes: [UInt8]) -> Body? {
    let name = bytes.prefix { $0 != UInt8(ascii: "=") }
    guard name.count < bytes.count, name.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: ":") }),
      let parameters = try? OAuth.FormEncoding.decode(bytes)
    else { return nil }
    return ErrorText(form: parameters).map { .error($0) } ?? .nothing
  }

  private static func isPage(_ bytes: [UInt8]) -> Bool {
    let head = ASCII.lowercased(String(decoding: bytes.prefix(1_024), as: UTF8.self))
    return head.hasPrefix("<!doctype html") || head.contains("<html") || head.contains("<head")
      || head.contains("<body")
  }
}

extension ErrorText {
  /// Finds the error in a JSON body. Returns nil if the body contains no error.
  ///
  /// Known formats: `{"errors":[{"code":32,"message":"…"}]}` and `{"errors":"…"}` from Twitter 1.1, `{"error":"…"}` with an optional
  /// `message` or `error_description`, `{"error":{"code":…,"message":"…"}}`, `{"code":…,"message":"…"}`, and problem documents (RFC 9457).
  init?(json: ErrorJSON) {
    guard let error = Self.error(in: json) else { return nil }
    self = error
    type = Self.type(of: json) ?? type
  }

  private static func error(in json: ErrorJSON) -> ErrorText? {
    // A response with data and errors is a partial success.
    if let data = json["data"], data != .null { return nil }
    if let errors = json["errors"], let error = first(in: errors) { return error }
    if let value = json["error"], let error = Self.error(value, in: json) { return error }
    if let code = json["code"]?.integer, let message = json["message"]?.text {
      return ErrorText(code: code, problem: nil, text: message)
    }
    guard json["title"] != nil, json["type"] != nil || json["status"] != nil else { return nil }
    return ErrorText(code: nil, problem: nil, text: json["detail"]?.text ?? json["title"]?.text ?? "")
  }

  /// Returns the type of an error. X uses the same `type` for several errors, so `reason` takes precedence.
  private static func type(of json: ErrorJSON) -> String? {
    if let reason = json["reason"]?.text { return reason }
    return json["type"]?.text.flatMap { $0.split(separator: "/").last.map(String.init) }
  }

  private static func first(in errors: ErrorJSON) -> ErrorText? {
    switch errors {
    case .string(let text): ErrorText(code: nil, problem: nil, text: text)
    case .object: ErrorText(errorObject: errors)
    case .array(let all): all.first.flatMap { first(in: $0) }
    default: nil
    }
  }

  private static func error(_ error: ErrorJSON, in json: ErrorJSON) -> ErrorText? {
    let longer = json["error_description"]?.text ?? json["message"]?.text
    switch error {
    case .string(let text): return ErrorText(code: json["code"]?.integer, problem: nil, text: longer ?? text)
    case .object: return ErrorText(errorObject: error)
    case .bool(true): return ErrorText(code: json["code"]?.integer, problem: nil, text: longer ?? "error")
    default: return nil
    }
  }

  /// Reads a single error. The message is called `info` by MediaWiki and `detail` in problem documents.
  private init?(errorObject error: ErrorJSON) {
    let text = ["message", "detail", "info", "title"].lazy.compactMap { error[$0]?.text }.first
    let code = error["code"]?.integer
    guard text != nil || code != nil else { return nil }
    self.init(code: code, problem: nil, text: text ?? "", type: Self.type(of: error))
  }
}

extension ErrorText {
  /// Finds the error in form data. Returns nil if the body contains no error. Examples: `error=Invalid%20signature`, or `oauth_problem=…`
  /// with an optional `oauth_problem_advice`.
  init?(form: [OAuth.Parameter]) {
    func value(_ name: String) -> String? {
      form.first { $0.isNamed(name) }.map { String(decoding: $0.value, as: UTF8.self) }
    }
    let problem = value("oauth_problem")
    let message = value("oauth_problem_advice") ?? value("error_description") ?? value("error") ?? value("oauth_error")
    guard let text = message ?? problem else { return nil }
    self.init(code: nil, problem: problem, text: text)
    if let accepted = value("oauth_acceptable_timestamps") { self.text += " (accepted: \(accepted))" }
  }

  /// Finds `oauth_problem` in a challenge, such as `OAuth oauth_problem=token_rejected` or `OAuth realm="…", oauth_problem="…"`. Returns
  /// nil if the challenge contains no error. Values may be unquoted, so the challenge is split at its commas.
  init?(challenge: String) {
    let trimmed = challenge.utf8.drop { $0 <= 0x20 }
    guard trimmed.prefix(5).map({ ASCII.lowercased($0) }).elementsEqual("oauth".utf8) else { return nil }
    let segments = trimmed.dropFirst(5).split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "&") }
    let parameters = segments.compactMap { segment -> OAuth.Parameter? in
      let plain = segment.filter { $0 != UInt8(ascii: "\"") && $0 != 0x0D && $0 != 0x0A }
      let pair = plain.drop { $0 <= 0x20 }
      return try? OAuth.FormEncoding.decode(Array(pair)).first
    }
    self.init(form: parameters.filter { $0.name.starts(with: "oauth_".utf8) })
  }
}

extension ErrorText {
  /// Finds the error in an XML body. Returns nil if the body contains no error. Examples: `<errors><error code="415">…</error></errors>`,
  /// `<hash><error>…</error></hash>`. This function is not an XML parser; it looks for the first element named `error`.
  init?(xml: [UInt8]) {
    var rest = xml[...]
    while let start = Self.range(of: "<error", in: rest) {
      rest = rest[start.upperBound...]
      // Skip `<errors>`.
      guard let next = rest.first, next == UInt8(ascii: ">") || next <= 0x20 else { continue }
      guard let tagEnd = rest.firstIndex(of: UInt8(ascii: ">")),
        let close = Self.range(of: "</error>", in: rest[tagEnd...])
      else { return nil }
      // `ProviderText` decodes character references.
      let text = String(decoding: rest[(tagEnd + 1)..<close.lowerBound], as: UTF8.self)
      self.init(code: Self.code(in: rest[..<tagEnd]), problem: nil, text: text)
      return
    }
    return nil
  }

  /// Returns the number in an attribute such as `code="415"`.
  private static func code(in attributes: ArraySlice<UInt8>) -> Int? {
    guard let name = range(of: "code=", in: attributes) else { return nil }
    let digits = attributes[name.upperBound...].dropFirst().prefix { ASCII.isDigit($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private static func range(of text: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    let length = text.utf8.count
    guard bytes.count >= length else { return nil }
    for start in bytes.startIndex...(bytes.endIndex - length) where bytes[start...].starts(with: text.utf8) {
      return start..<(start + length)
    }
    return nil
  }
}
