internal import HTTP
internal import OAuthValues

/// The address of a page on this server: its path and query, for a link or a redirect.
///
/// It is built from decoded parts. Everything but letters, digits and `-._~` is percent-encoded, so that no text can end the
/// path, the attribute or the header field that contains the address.
package struct WebAddress: Sendable, Hashable {
  private let components: [String]
  private var query: [(name: String, value: String)] = []
  private var fragment: String?

  /// - Parameter components: the decoded components of the path; none for `/`. No component may be empty, `.` or `..`.
  package init(_ components: String...) { self.components = components }

  package init(_ path: WebPath) { components = path.components }

  var firstComponent: String? { components.first }

  /// Returns the address with one more value in its query. A name can be used several times.
  package func with(_ name: String, _ value: String) -> WebAddress {
    var address = self
    address.query.append((name, value))
    return address
  }

  /// Returns the address without some values of its query.
  func without(_ names: String...) -> WebAddress {
    var address = self
    address.query.removeAll { names.contains($0.name) }
    return address
  }

  /// Returns the address of an element on the page.
  /// - Parameter id: the element's id.
  package func at(_ id: String) -> WebAddress {
    var address = self
    address.fragment = id
    return address
  }

  /// The address as it is sent: `/a/NAME?before=KEY`.
  package var text: String {
    let path = components.map { "/" + PercentEncoding.encode(PathText.component($0)) }.joined()
    let values = query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
    let element = fragment.map { "#" + PercentEncoding.encode($0) } ?? ""
    return (path.isEmpty ? "/" : path) + (values.isEmpty ? "" : "?" + values.joined(separator: "&")) + element
  }

  /// The value of a `Location` field.
  var fieldValue: FieldValue {
    guard let value = FieldValue(text) else {
      preconditionFailure("percent-encoded text contains no control character")
    }
    return value
  }

  package static func == (one: WebAddress, other: WebAddress) -> Bool { one.text == other.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
