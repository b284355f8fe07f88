/// The members of an answer at an endpoint of an authorisation server: of a JSON object, or of form data.
///
/// Which of the two it is is told by the content: the type may be `text/plain` or `text/html`.
struct AnswerMembers {
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
  init(_ answer: Answer) throws(Unreadable) {
    let body = answer.body
    guard body.count <= Self.byteLimit else { throw Unreadable("\(body.count) bytes, more than such an answer has") }
    let start = body.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    switch start {
    case UInt8(ascii: "{"): try readJSON(body)
    case nil: throw Unreadable("an empty body")
    default: try readForm(answer)
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
