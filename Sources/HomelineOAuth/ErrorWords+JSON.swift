extension ErrorWords {
  /// Finds the error in a JSON answer, nil when it holds none.
  ///
  /// The shapes: `{"errors":[{"code":32,"message":"…"}]}` and `{"errors":"…"}` of Twitter 1.1, `{"error":"…"}` with an
  /// optional `message` or `error_description`, `{"error":{"code":…,"message":"…"}}`, `{"code":…,"message":"…"}`, and the
  /// problem documents of RFC 9457.
  init?(json: ErrorJSON) {
    guard let words = Self.words(in: json) else { return nil }
    self = words
    type = Self.type(of: json) ?? type
  }

  private static func words(in json: ErrorJSON) -> ErrorWords? {
    // An answer with data and errors is a partial success: the data counts.
    if let data = json["data"], data != .null { return nil }
    if let errors = json["errors"], let words = first(in: errors) { return words }
    if let error = json["error"], let words = Self.error(error, beside: json) { return words }
    if let code = json["code"]?.integer, let message = json["message"]?.text {
      return ErrorWords(code: code, problem: nil, text: message)
    }
    guard json["title"] != nil, json["type"] != nil || json["status"] != nil else { return nil }
    return ErrorWords(code: nil, problem: nil, text: json["detail"]?.text ?? json["title"]?.text ?? "")
  }

  /// X gives the same `type` to several refusals, which `reason` tells apart.
  private static func type(of json: ErrorJSON) -> String? {
    if let reason = json["reason"]?.text { return reason }
    return json["type"]?.text.flatMap { $0.split(separator: "/").last.map(String.init) }
  }

  private static func first(in errors: ErrorJSON) -> ErrorWords? {
    switch errors {
    case .string(let text): ErrorWords(code: nil, problem: nil, text: text)
    case .object: ErrorWords(errorObject: errors)
    case .array(let all): all.first.flatMap { first(in: $0) }
    default: nil
    }
  }

  private static func error(_ error: ErrorJSON, beside json: ErrorJSON) -> ErrorWords? {
    let longer = json["error_description"]?.text ?? json["message"]?.text
    switch error {
    case .string(let text): return ErrorWords(code: json["code"]?.integer, problem: nil, text: longer ?? text)
    case .object: return ErrorWords(errorObject: error)
    case .bool(true): return ErrorWords(code: json["code"]?.integer, problem: nil, text: longer ?? "error")
    default: return nil
    }
  }

  /// The words of one error. MediaWiki calls them `info`, problem documents `detail`.
  private init?(errorObject error: ErrorJSON) {
    let text = ["message", "detail", "info", "title"].lazy.compactMap { error[$0]?.text }.first
    let code = error["code"]?.integer
    guard text != nil || code != nil else { return nil }
    self.init(code: code, problem: nil, text: text ?? "", type: Self.type(of: error))
  }
}
