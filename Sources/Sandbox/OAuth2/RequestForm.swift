internal import HomelineOAuth
internal import HTTP

/// The parameters of a request to an endpoint of OAuth 2.0, from its query, its form or both.
struct RequestForm: Sendable {
  private let parameters: [Parameter]

  init(query request: Request) throws(RequestFormError) {
    parameters = try Self.decoded { () throws(FormError) in try FormEncoding.decode(request.target.query ?? "") }
  }

  /// Of a body that says to be a form.
  init(body request: Request) throws(RequestFormError) {
    guard Self.isForm(request) else { throw .notForm }
    parameters = try Self.decoded { () throws(FormError) in try FormEncoding.decode(request.body) }
  }

  private init(_ parameters: [Parameter]) { self.parameters = parameters }

  /// Both, each of which may be missing.
  init(queryAndBody request: Request) throws(RequestFormError) {
    let query = try RequestForm(query: request)
    guard Self.isForm(request) else {
      self = query
      return
    }
    self.init(query.parameters + (try RequestForm(body: request).parameters))
  }

  /// The value, nil where there is none: an empty one counts as left out (RFC 6749 §3.1).
  func value(_ name: String) throws(RequestFormError) -> String? {
    let found = parameters.filter { $0.isNamed(name) }
    guard found.count <= 1 else { throw .repeated(name) }
    guard let first = found.first, !first.value.isEmpty else { return nil }
    guard let text = first.valueText else { throw .notText(name) }
    return text
  }

  /// All names and values that are text, for a form that asks again.
  var texts: [(name: String, value: String)] {
    parameters.compactMap { parameter in
      guard let name = parameter.nameText, let value = parameter.valueText else { return nil }
      return (name, value)
    }
  }

  /// RFC 6749 §4.1.3 wants this type; parameters of the type are let through.
  private static func isForm(_ request: Request) -> Bool {
    let type = request.headers.first(.contentType)?.split(separator: ";").first ?? ""
    return type.lowercased().trimmingPrefix(while: \.isWhitespace).split(separator: " ").first
      == "application/x-www-form-urlencoded"
  }

  private static func decoded(_ body: () throws(FormError) -> [Parameter]) throws(RequestFormError) -> [Parameter] {
    do throws(FormError) { return try body() } catch { throw .unreadable(error.description) }
  }
}

/// Why the parameters of a request are none.
enum RequestFormError: Error, CustomStringConvertible {
  case notForm
  case unreadable(String)
  case repeated(String)
  case notText(String)

  var description: String {
    switch self {
    case .notForm: "The body is not application/x-www-form-urlencoded."
    case .unreadable(let reason): reason
    case .repeated(let name): "The parameter \(name) is there more than once."
    case .notText(let name): "The parameter \(name) is not UTF-8."
    }
  }
}
