internal import JSON

/// The members of an authorisation server's response, which is a JSON object or form data.
///
/// The format is determined from the content, because the media type may be `text/plain` or `text/html`.
struct ResponseMembers {
  /// The value of a member. The only nested values needed are lists of strings or numbers.
  enum Value: Equatable {
    case text(String)
    /// A number as written, because it may exceed any integer type.
    case number(String)
    case boolean(Bool)
    case texts([String])
    /// A list of numbers as written.
    case numbers([String])
    case null
    case other
  }

  /// The maximum size of a response in bytes. Authorisation servers send a few kilobytes at most.
  static let byteLimit = 65_536
  static let depthLimit = 16

  private(set) var values: [String: Value] = [:]
  /// The names that appear more than once, which RFC 6749 §3.2 forbids.
  private(set) var duplicates: Set<String> = []

  /// Parses the body of a response.
  ///
  /// - Throws: ``ResponseFormatError``.
  init(_ response: OAuth.Response) throws(ResponseFormatError) {
    let body = response.body
    guard body.count <= Self.byteLimit else { throw ResponseFormatError("\(body.count) bytes, which is too long,") }
    let start = body.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    switch start {
    case UInt8(ascii: "{"): try readJSON(body)
    case nil: throw ResponseFormatError("an empty body")
    default: try readForm(response)
    }
  }

  /// Parses a JSON object that is part of a response.
  ///
  /// - Throws: ``ResponseFormatError``.
  init(json body: [UInt8]) throws(ResponseFormatError) {
    guard body.count <= Self.byteLimit else { throw ResponseFormatError("\(body.count) bytes, which is too long,") }
    try readJSON(body)
  }

  subscript(name: String) -> Value? {
    values[name].flatMap { $0 == .null ? nil : $0 }
  }

  /// Returns the string with the given name; nil if it is missing or empty.
  func text(_ name: String) -> String? {
    guard case .text(let text)? = self[name], !text.isEmpty else { return nil }
    return text
  }

  /// Returns a number of seconds; see ``Lifetime``.
  func seconds(_ name: String) -> Int64? {
    switch self[name] {
    case .text(let text)?, .number(let text)?: Lifetime.seconds(text)
    default: nil
    }
  }

  /// Returns a time that was sent instead of a number of seconds; see ``Lifetime``.
  func time(_ name: String) -> Int64? {
    switch self[name] {
    case .text(let text)?, .number(let text)?: Lifetime.time(text)
    default: nil
    }
  }

  /// Whether there is an `error` that is not a string, although the standard requires one. The values `null`, `false`, `0` and `""` are not
  /// errors.
  var hasNonstandardError: Bool {
    switch self["error"] {
    case nil, .boolean(false)?, .number("0")?, .text?: false
    default: true
    }
  }

  mutating func add(_ value: Value, as name: String) {
    if values.updateValue(value, forKey: name) != nil { duplicates.insert(name) }
  }
}

extension ResponseMembers {
  mutating func readJSON(_ body: [UInt8]) throws(ResponseFormatError) {
    var cursor = JSONCursor(body, maximalDepth: Self.depthLimit)
    do {
      try cursor.members { cursor, name in add(try Self.value(&cursor), as: name.text) }
      try cursor.end()
    } catch {
      throw ResponseFormatError("malformed JSON (\(error))")
    }
  }

  private static func value(_ cursor: inout JSONCursor) throws -> Value {
    switch try cursor.peek() {
    case .string: return .text(try cursor.string())
    case .number: return .number(try cursor.numberText())
    case .boolean: return .boolean(try cursor.boolean())
    case .null: return try cursor.null() ? .null : .other
    case .array: return try list(&cursor)
    case .object:
      try cursor.skip()
      return .other
    }
  }

  private static func list(_ cursor: inout JSONCursor) throws -> Value {
    let values = try cursor.list { try value(&$0) }
    let texts = values.compactMap { value in if case .text(let text) = value { text } else { nil } }
    if texts.count == values.count { return .texts(texts) }
    let numbers = values.compactMap { value in if case .number(let text) = value { text } else { nil } }
    return numbers.count == values.count ? .numbers(numbers) : .other
  }

  /// Parses form data, which is recognised by the names of its parameters.
  mutating func readForm(_ response: OAuth.Response) throws(ResponseFormatError) {
    let body = response.body
    let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
    var rest = body.drop(while: blanks.contains)
    while let last = rest.last, blanks.contains(last) { rest.removeLast() }
    guard let parameters = try? OAuth.FormEncoding.decode(Array(rest), limits: FormResponse.limits),
      parameters.contains(where: { $0.isNamed("access_token") || $0.isNamed("error") })
    else { throw ResponseFormatError(describing: response) }
    for parameter in parameters {
      guard let name = parameter.nameText, let value = parameter.valueText else {
        throw ResponseFormatError("form data that is not UTF-8")
      }
      add(.text(value), as: name)
    }
  }
}

/// An error for a response in an unexpected format. Its message describes the response, for example as `a web page`.
struct ResponseFormatError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

extension ResponseFormatError {
  /// Describes an unexpected body. If the body contains a message and no token, the message is quoted.
  init(describing response: OAuth.Response, otherwise: String = "something else") {
    let body = response.body
    switch ErrorText.read(body) {
    case .page: self.init(Self.page)
    case .error(let error), .plain(let error):
      let text = ProviderText.cleaned(error.text.utf8, hiding: response.hiding)
      self.init(text.isEmpty || Self.mayContainToken(body) ? otherwise : "the message “\(text)”")
    case .nothing: self.init(body.isEmpty ? "an empty body" : otherwise)
    }
  }

  private static let page = "a web page"

  /// Returns advice on a response with this description; nil if there is none.
  static func advice(on message: String, status: Int) -> String? {
    let isFromNetwork = OAuth.ProviderError.isRedirect(status) || message == page && (status < 400 || status == 511)
    return isFromNetwork ? OAuth.ProviderError.networkAdvice : nil
  }

  /// Returns whether a body may be a malformed token response, which must not be quoted.
  private static func mayContainToken(_ body: [UInt8]) -> Bool {
    let text = ASCII.lowercased(String(decoding: body.prefix(ErrorText.byteLimit), as: UTF8.self))
    return ["access_token", "refresh_token", "accesstoken", "refreshtoken", "device_code"].contains {
      text.contains($0)
    }
  }
}

/// Parses lifetimes.
enum Lifetime {
  /// Ten years in seconds, the maximum lifetime. The limit prevents overflows.
  static let limit: Int64 = 10 * 365 * 86_400

  /// Returns the number of seconds in a string, limited to the range from 0 to ten years; nil if the string is not a number.
  ///
  /// Some servers send the number as a string or with a fraction, and Akkoma may send a negative number.
  static func seconds(_ text: String) -> Int64? { number(text).map { Int64(min(max($0, 0), Double(limit))) } }

  /// Returns the time in a string, in seconds since 1970, if it is between the years 2001 and 9999; nil for any other number.
  static func time(_ text: String) -> Int64? {
    number(text).flatMap { (1_000_000_000..<253_402_300_800).contains($0) ? Int64($0) : nil }
  }

  private static func number(_ text: String) -> Double? {
    let isNumber = text.utf8.allSatisfy { ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }
    guard isNumber, let number = Double(text), !number.isNaN else { return nil }
    return number
  }
}
