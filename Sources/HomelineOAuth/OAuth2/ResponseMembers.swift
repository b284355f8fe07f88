internal import JSON

/// The members of an answer at an endpoint of an authorisation server: of a JSON object, or of form data.
///
/// Which of the two it is is told by the content: the type may be `text/plain` or `text/html`.
struct ResponseMembers {
  /// One value. What is nested deeper than a list of texts or numbers is of no use here.
  enum Value: Equatable {
    case text(String)
    /// As it is written, since it may be longer than any integer.
    case number(String)
    case boolean(Bool)
    case texts([String])
    /// As they are written.
    case numbers([String])
    case null
    case other
  }

  /// Such answers are a few kilobytes at most; what is longer is a page.
  static let byteLimit = 65_536
  static let depthLimit = 16

  private(set) var values: [String: Value] = [:]
  /// Names that come more than once (RFC 6749 §3.2 forbids it).
  private(set) var doubled: Set<String> = []

  /// Reads an answer's body.
  ///
  /// - Throws: ``Unreadable``.
  init(_ response: OAuth.Response) throws(Unreadable) {
    let body = response.body
    guard body.count <= Self.byteLimit else { throw Unreadable("\(body.count) bytes, more than such an answer has") }
    let start = body.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    switch start {
    case UInt8(ascii: "{"): try readJSON(body)
    case nil: throw Unreadable("an empty body")
    default: try readForm(response)
    }
  }

  /// Reads a JSON object that stands inside an answer.
  ///
  /// - Throws: ``Unreadable``.
  init(json body: [UInt8]) throws(Unreadable) {
    guard body.count <= Self.byteLimit else { throw Unreadable("\(body.count) bytes, more than such an object has") }
    try readJSON(body)
  }

  subscript(name: String) -> Value? {
    values[name].flatMap { $0 == .null ? nil : $0 }
  }

  /// A text that is there and not empty.
  func text(_ name: String) -> String? {
    guard case .text(let text)? = self[name], !text.isEmpty else { return nil }
    return text
  }

  /// A count of seconds, see ``Lifetime``.
  func seconds(_ name: String) -> Int64? {
    switch self[name] {
    case .text(let text)?, .number(let text)?: Lifetime.seconds(text)
    default: nil
    }
  }

  /// Whether there is an `error` that is not the standard's text. `null`, `false`, `0` and `""` are no errors.
  var holdsForeignError: Bool {
    switch self["error"] {
    case nil, .boolean(false)?, .number("0")?, .text?: false
    default: true
    }
  }

  mutating func add(_ value: Value, as name: String) {
    if values.updateValue(value, forKey: name) != nil { doubled.insert(name) }
  }
}

extension ResponseMembers {
  mutating func readJSON(_ body: [UInt8]) throws(Unreadable) {
    var cursor = JSONCursor(body, maximalDepth: Self.depthLimit)
    do {
      try cursor.members { cursor, name in add(try Self.value(&cursor), as: name.text) }
      try cursor.end()
    } catch {
      throw Unreadable("broken JSON (\(error))")
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

  /// Form data is known by the names that such answers have; anything else is something else.
  mutating func readForm(_ response: OAuth.Response) throws(Unreadable) {
    let body = response.body
    let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
    var rest = body.drop(while: blanks.contains)
    while let last = rest.last, blanks.contains(last) { rest.removeLast() }
    guard let parameters = try? OAuth.FormEncoding.decode(Array(rest), limits: FormResponse.limits),
      parameters.contains(where: { $0.isNamed("access_token") || $0.isNamed("error") })
    else { throw Unreadable(described: response) }
    for parameter in parameters {
      guard let name = parameter.nameText, let value = parameter.valueText else {
        throw Unreadable("form data that is not UTF-8")
      }
      add(.text(value), as: name)
    }
  }
}

/// What came where something else was expected, in words without any value of it: `a web page`.
struct Unreadable: Error {
  let words: String

  init(_ words: String) { self.words = words }
}

extension Unreadable {
  /// Describes a body that is no answer, by its own words where it has some and holds no token.
  init(described response: OAuth.Response, otherwise: String = "something else") {
    let body = response.body
    switch ErrorText.read(body) {
    case .page: self.init(Self.page)
    case .words(let words), .plain(let words):
      let text = ProviderText.cleaned(words.text.utf8, hiding: response.hiding)
      self.init(text.isEmpty || Self.mayHoldToken(body) ? otherwise : "the words “\(text)”")
    case .nothing: self.init(body.isEmpty ? "an empty body" : otherwise)
    }
  }

  private static let page = "a web page"

  /// What to do about an answer that is described so; nil where nothing special helps.
  static func advice(on words: String, status: Int) -> String? {
    let isFromNetwork = ProviderRefusal.isRedirect(status) || words == page && (status < 400 || status == 511)
    return isFromNetwork ? ProviderRefusal.networkAdvice : nil
  }

  /// A token answer that is broken somewhere must not be quoted.
  private static func mayHoldToken(_ body: [UInt8]) -> Bool {
    let text = ASCII.lowercased(String(decoding: body.prefix(ErrorText.byteLimit), as: UTF8.self))
    return ["access_token", "refresh_token", "accesstoken", "refreshtoken", "device_code"].contains {
      text.contains($0)
    }
  }
}

/// Reads how long something is good for.
enum Lifetime {
  /// Ten years: what is longer is as good as for ever, and no sum with it overflows.
  static let limit: Int64 = 10 * 365 * 86_400

  /// The seconds that a number stands for, 0 for a negative one, at most ten years; nil when it is no number.
  ///
  /// Some servers write it as a string or with a fraction, and Akkoma counts it down.
  static func seconds(_ text: String) -> Int64? {
    let isNumber = text.utf8.allSatisfy { ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }
    guard isNumber, let number = Double(text), !number.isNaN else { return nil }
    return Int64(min(max(number, 0), Double(limit)))
  }
}
