internal import JSON

extension ProviderAnswer {
  /// Reads the one object of an answer; see `value`.
  func object<Value>(
    expected: String, judge: (ProviderAnswer) -> Verdict?, _ body: (inout JSONCursor) throws -> Value?
  ) throws(ProviderError) -> Value {
    try value(.object, expected: expected, judge: judge, body)
  }

  /// Reads the one value of an answer; what is none, or does not hold what is expected, is judged as a refusal.
  /// - Parameters:
  ///   - kind: what it has to begin like.
  ///   - expected: what it is, such as `a user`.
  ///   - judge: finds the refusal in this answer.
  ///   - body: takes the value; `nil` when it does not hold what is expected.
  func value<Value>(
    _ kind: JSONCursor.Kind, expected: String, judge: (ProviderAnswer) -> Verdict?,
    _ body: (inout JSONCursor) throws -> Value?
  ) throws(ProviderError) -> Value {
    do {
      guard isSuccess, try JSONCursor.kind(of: self.body) == kind else {
        throw complaint(expected: expected, judge: judge)
      }
      var cursor = JSONCursor(self.body)
      let value = try body(&cursor)
      try cursor.end()
      guard let value else { throw complaint(expected: expected, judge: judge) }
      return value
    } catch let error as ProviderError {
      throw error
    } catch {
      throw isSuccess && (try? JSONCursor.kind(of: self.body)) != nil
        ? .unreadable("The provider's answer cannot be read as \(expected): \(error).")
        : complaint(expected: expected, judge: judge)
    }
  }

  /// Says what came instead: a refusal where there is one in it.
  private func complaint(expected: String, judge: (ProviderAnswer) -> Verdict?) -> ProviderError {
    if let verdict = judge(self) { return .refused(verdict) }
    let came = body.isEmpty ? "nothing" : "something else"
    return .unreadable("The provider answered with status \(status) and \(came) where \(expected) was expected.")
  }
}
