extension ErrorWords {
  /// Finds the error in a form answer, nil when it holds none: `error=Invalid%20signature`, or `oauth_problem=…` with an
  /// optional `oauth_problem_advice`.
  init?(form: [Parameter]) {
    func value(_ name: String) -> String? {
      form.first { $0.isNamed(name) }.map { String(decoding: $0.value, as: UTF8.self) }
    }
    let problem = value("oauth_problem")
    let words = value("oauth_problem_advice") ?? value("error_description") ?? value("error") ?? value("oauth_error")
    guard let text = words ?? problem else { return nil }
    self.init(code: nil, problem: problem, text: text)
    if let accepted = value("oauth_acceptable_timestamps") { self.text += " (accepted: \(accepted))" }
  }

  /// Finds `oauth_problem` in a challenge, `OAuth oauth_problem=token_rejected` or `OAuth realm="…", oauth_problem="…"`;
  /// nil when it holds none. Servers quote or do not, so the list is taken apart at its commas.
  init?(challenge: String) {
    let trimmed = challenge.utf8.drop { $0 <= 0x20 }
    guard trimmed.prefix(5).map({ ASCII.lowercased($0) }).elementsEqual("oauth".utf8) else { return nil }
    let segments = trimmed.dropFirst(5).split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "&") }
    let parameters = segments.compactMap { segment -> Parameter? in
      let plain = segment.filter { $0 != UInt8(ascii: "\"") && $0 != 0x0D && $0 != 0x0A }
      let pair = plain.drop { $0 <= 0x20 }
      return try? FormEncoding.decode(Array(pair)).first
    }
    self.init(form: parameters.filter { $0.name.starts(with: "oauth_".utf8) })
  }
}
