internal import HTTP
internal import HomelineOAuth

/// The parameters of a request to an OAuth 2.0 endpoint, from its query, its body or both.
struct RequestForm: Sendable {
  private let parameters: [Parameter]

  init(query request: Request) throws(RequestFormError) {
    parameters = try Self.decoded { () throws(FormError) in try FormEncoding.decode(request.target.query ?? "") }
  }

  /// Reads a body of type `application/x-www-form-urlencoded`.
  init(body request: Request) throws(RequestFormError) {
    guard Self.isForm(request) else { throw .notForm }
    parameters = try Self.decoded { () throws(FormError) in try FormEncoding.decode(request.body) }
  }

  private init(_ parameters: [Parameter]) { self.parameters = parameters }

  /// Reads the query and the body. Either may be missing.
  init(queryAndBody request: Request) throws(RequestFormError) {
    let query = try RequestForm(query: request)
    guard Self.isForm(request) else {
      self = query
      return
    }
    self.init(query.parameters + (try RequestForm(body: request).parameters))
  }

  /// Returns the value of a parameter; `nil` if it is missing or empty (RFC 6749 §3.1).
  func value(_ name: String) throws(RequestFormError) -> String? {
    let found = parameters.filter { $0.isNamed(name) }
    guard found.count <= 1 else { throw .repeated(name) }
    guard let first = found.first, !first.value.isEmpty else { return nil }
    guard let text = first.valueText else { throw .notText(name) }
    return text
  }

  /// All parameters whose names and values are text, for a page's hidden fields.
  var texts: [(name: String, value: String)] {
    parameters.compactMap { parameter in
      guard let name = parameter.nameText, let value = parameter.valueText else { return nil }
      return (name, value)
    }
  }

  /// Returns whether the body has the media type that RFC 6749 §4.1.3 requires. The media type's parameters are ignored.
  private static func isForm(_ request: Request) -> Bool {
    let type = request.headers.first(.contentType)?.split(separator: ";").first ?? ""
    return type.lowercased().trimmingPrefix(while: \.isWhitespace).split(separator: " ").first
      == "application/x-www-form-urlencoded"
  }

  private static func decoded(_ body: () throws(FormError) -> [Parameter]) throws(RequestFormError) -> [Parameter] {
    do throws(FormError) { return try body() } catch { throw .unreadable(error.description) }
  }
}
