internal import HTTP
internal import HomelineOAuth
internal import OAuthValues

/// The values in an address's query, or in the content of a form (`application/x-www-form-urlencoded`).
package struct WebQuery: Sendable, Hashable {
  /// The maximum number of values. A search has the most: one for each of its fields.
  static let mostValues = 64

  /// The name of the value that names a ``PageMessage``.
  static let message = "done"

  package private(set) var values: [(name: String, value: String)] = []

  package init() {}

  /// Decodes form data. Bytes that are not UTF-8 become U+FFFD.
  /// - Throws: status 400 if an escape is malformed, or if there are too many values.
  init(_ form: [UInt8]) throws(WebError) {
    let parameters: [Parameter]
    do throws(FormError) {
      parameters = try FormEncoding.decode(form, limits: FormEncoding.Limits(parameters: Self.mostValues))
    } catch { throw WebError(.badRequest, "This address is not correct", "\(error)") }
    values = parameters.map { (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self)) }
  }

  /// - Parameter query: an address's query as received; nil if it has none.
  package init(received query: String?) throws(WebError) {
    if let query { try self.init(Array(query.utf8)) } else { self.init() }
  }

  /// The value with this name; nil if there is none. Of several, the first.
  package subscript(name: String) -> String? { values.first { $0.name == name }?.value }

  /// Returns these values, and after them those of another one.
  func adding(_ other: WebQuery) -> WebQuery {
    var all = self
    all.values += other.values
    return all
  }

  /// Checks that a page knows each value's name. A page's message has a name on every page.
  /// - Parameter part: the part of the page that the script can get alone (`part=PART`); nil if there is none.
  /// - Throws: status 400.
  func check(names: [String], part: String? = nil) throws(WebError) {
    for value in values where !names.contains(value.name) && value.name != Self.message {
      guard value.name == "part", let part else {
        throw .badAddress("This page has no “\(value.name.prefix(100))”.")
      }
      if value.value != part { throw .badAddress("This page has no part “\(value.value.prefix(100))”.") }
    }
  }

  /// Returns an address with these values after those that it has.
  package func added(to address: WebAddress) -> WebAddress { values.reduce(address) { $0.with($1.name, $1.value) } }

  package static func == (one: WebQuery, other: WebQuery) -> Bool {
    one.values.elementsEqual(other.values) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) {
    for value in values {
      hasher.combine(value.name)
      hasher.combine(value.value)
    }
  }
}

extension WebAddress {
  /// The address without what concerns only one response.
  var withoutMessage: WebAddress { without(WebQuery.message, "part") }
}
