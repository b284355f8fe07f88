internal import JSON

/// Reads the single JSON value in a response. Any other response is treated as a refusal.
extension Provider {
  /// Reads a response that contains one object; see `value(_:in:expected:_:)`.
  func object<Value>(
    in response: ProviderResponse, expected: String, _ body: (inout JSONCursor) throws -> Value?
  ) throws(ProviderFailure) -> Value {
    try value(.object, in: response, expected: expected, body)
  }

  /// Reads a response that contains one value.
  /// - Parameters:
  ///   - kind: the JSON type of the value.
  ///   - expected: what messages call the expected content, such as `a user`.
  ///   - body: reads the value; returns `nil` if the expected content is missing.
  /// - Throws: the refusal, `.unreadable` for any other response.
  func value<Value>(
    _ kind: JSONCursor.Kind, in response: ProviderResponse, expected: String,
    _ body: (inout JSONCursor) throws -> Value?
  ) throws(ProviderFailure) -> Value {
    do {
      let found = try? JSONCursor.kind(of: response.body)
      if response.isSuccess, found == kind {
        var cursor = JSONCursor(response.body)
        let value = try body(&cursor)
        try cursor.end()
        if let value { return value }
      }
    } catch let error as ProviderFailure {
      throw error
    } catch {
      throw .unreadable("The provider's response cannot be read as \(expected): \(error).")
    }
    if let failure = classify(response) ?? absence(in: response) { throw failure }
    let came = response.body.isEmpty ? "no content" : "other content"
    throw .unreadable(
      "\(serverName) responded with status \(response.status) and \(came) where \(expected) was expected.")
  }
}
