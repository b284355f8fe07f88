/// The formats of an API's error reports.
package struct ErrorFormat: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `{"error":…}` or `{"errors":…}`.
  static let error = ErrorFormat(rawValue: 1)
  /// A problem document (RFC 9457).
  static let problem = ErrorFormat(rawValue: 2)
  /// `{"error_code":…}`, or `{"result":…}` for an action that was not carried out.
  static let code = ErrorFormat(rawValue: 4)
  /// XML, form data, or plain text with a known phrase, as OAuth 1.0a servers send them in addition to JSON.
  static let oauth1 = ErrorFormat(rawValue: 8)
}
