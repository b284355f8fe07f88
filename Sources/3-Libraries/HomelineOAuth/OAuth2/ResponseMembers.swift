internal import JSON
internal import OAuthValues

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
    guard body.count <= Self.byteLimit else { throw ResponseFormatError(tooLong: body.count) }
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
    guard body.count <= Self.byteLimit else { throw ResponseFormatError(tooLong: body.count) }
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

  /// Returns a number as written, which may be in a string; nil if there is none.
  func numberText(_ name: String) -> String? {
    switch self[name] {
    case .text(let text)?, .number(let text)?: text
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
    } catch { throw ResponseFormatError.notJSON }
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
    guard let parameters = try? OAuth.FormEncoding.decode(Array(rest), limits: OAuth.Response.formLimits),
      parameters.contains(where: { $0.isNamed("access_token") || $0.isNamed("error") })
    else { throw ResponseFormatError(describing: response) }
    for parameter in parameters {
      guard let name = parameter.nameText, let value = parameter.valueText else {
        throw ResponseFormatError("form data that is not UTF-8", defect: "is not UTF-8")
      }
      add(.text(value), as: name)
    }
  }
}
