extension ErrorWords {
  /// Finds the error in a JSON answer, nil when it holds none.
  ///
  /// The shapes: `{"errors":[{"code":32,"message":"…"}]}` and `{"errors":"…"}` of Twitter 1.1, `{"error":"…"}` with an
  /// optional `message` or `error_description`, `{"error":{"code":…,"message":"…"}}`, `{"code":…,"message":"…"}`, and the
  /// problem documents of RFC 9457.
  init?(json: ErrorJSON) {
    // An answer with data and errors is a partial success: the data counts.
    if let data = json["data"], data != .null { return nil }
    if let errors = json["errors"], let words = Self.first(in: errors) {
      self = words
    } else if let error = json["error"], let words = Self.error(error, beside: json) {
      self = words
    } else if let code = json["code"]?.integer, let message = json["message"]?.text {
      self.init(code: code, problem: nil, text: message)
    } else if json["title"] != nil, json["type"] != nil || json["status"] != nil {
      self.init(code: nil, problem: nil, text: json["detail"]?.text ?? json["title"]?.text ?? "")
    } else {
      return nil
    }
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
    self.init(code: code, problem: nil, text: text ?? "")
  }
}
