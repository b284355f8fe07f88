internal import JSON

extension AnswerMembers {
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
  mutating func readForm(_ answer: Answer) throws(Unreadable) {
    let body = answer.body
    let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
    var rest = body.drop(while: blanks.contains)
    while let last = rest.last, blanks.contains(last) { rest.removeLast() }
    guard let parameters = try? FormEncoding.decode(Array(rest), limits: AnswerForm.limits),
      parameters.contains(where: { $0.isNamed("access_token") || $0.isNamed("error") })
    else { throw Unreadable(described: answer) }
    for parameter in parameters {
      guard let name = parameter.nameText, let value = parameter.valueText else {
        throw Unreadable("form data that is not UTF-8")
      }
      add(.text(value), as: name)
    }
  }
}
