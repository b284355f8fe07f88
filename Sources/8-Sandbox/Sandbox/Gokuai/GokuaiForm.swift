internal import HTTP
internal import HomelineOAuth

/// The form parameters of a request to the API.
struct GokuaiForm {
  let parameters: [Parameter]

  init(_ parameters: [Parameter]) { self.parameters = parameters }

  init(_ request: Request) throws(GokuaiError) {
    do throws(FormError) {
      parameters = try FormEncoding.decode(
        request.method == .get ? Array((request.target.query ?? "").utf8) : request.body)
    } catch { throw .invalid(error.description) }
  }

  /// Returns a parameter's value; nil if the parameter is missing.
  func value(_ name: String) -> String? { parameters.first { $0.isNamed(name) }?.valueText }

  func required(_ name: String) throws(GokuaiError) -> String {
    guard let value = value(name) else { throw .invalid("\(name) is missing") }
    return value
  }

  /// Returns a path; empty if the parameter is missing.
  func path(_ name: String) throws(GokuaiError) -> String {
    let path = value(name) ?? ""
    if path.hasPrefix("/") || path.hasSuffix("/") { throw .invalid("\(name) has a slash at its end") }
    return path
  }
}
