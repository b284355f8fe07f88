public import Bytes
public import OAuthValues

/// The parts of a request that its signature covers: method, URL with query, and the parameters of a form body (RFC 5849 §3.4.1).
public struct SignableRequest: Sendable, Hashable {
  /// The method in upper case.
  public let method: String
  /// The URL, whose query is signed as parameters and is not part of the base string URI.
  public let url: RequestURL
  /// The decoded parameters of a form body; empty for other bodies.
  public let form: [OAuth.Parameter]

  /// Creates a request. Leave `form` empty unless the body is a form; other bodies, such as multipart data or JSON, are not signed.
  public init(method: String, url: RequestURL, form: [OAuth.Parameter] = []) {
    self.method = ASCII.uppercased(method)
    self.url = url
    self.form = form
  }

  /// Creates a request from its body as sent. The body is signed only if its content type is `application/x-www-form-urlencoded`
  /// (§3.4.1.3.1).
  ///
  /// - Throws: ``OAuth/FormError`` if a form body is malformed.
  public init(method: String, url: RequestURL, contentType: String?, body: [UInt8]) throws(OAuth.FormError) {
    let isForm = contentType.map(FormMediaType.matches) ?? false
    self.init(method: method, url: url, form: isForm ? try OAuth.FormEncoding.decode(body) : [])
  }

  /// Returns the decoded parameters of the query and the form, in the order they are sent, including any `oauth_signature`.
  ///
  /// - Throws: ``OAuth/FormError`` if the query contains a malformed escape.
  public func parameters() throws(OAuth.FormError) -> [OAuth.Parameter] {
    var list = ParameterList()
    try append(to: &list)
    return list.parameters
  }

  /// Appends the decoded parameters to a list.
  @inline(__always)
  func append(to list: inout ParameterList) throws(OAuth.FormError) {
    if let query = url.query { try OAuth.FormEncoding.append(query.utf8.span, limits: .init(), to: &list) }
    list.append(form)
  }
}

/// The media type of form data (RFC 9110 §8.3.1).
enum FormMediaType {
  /// Returns whether a content type is `application/x-www-form-urlencoded`, case-insensitively and with any parameters, such as `;
  /// charset=UTF-8`.
  static func matches(_ contentType: String) -> Bool {
    let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 }
    return type.map { ASCII.lowercased($0) }.elementsEqual("application/x-www-form-urlencoded".utf8)
  }
}

extension OAuth {
  /// The token of a request, which determines `oauth_token` and the second half of the key (RFC 5849 §3.1, §3.4.2).
  public enum TokenRole: Sendable, Hashable {
    /// There is no token, and `oauth_token` is omitted. Requests for temporary credentials use this case.
    case none
    /// There is no token, and `oauth_token` is sent with an empty value. This changes the signature; some old servers require it.
    case empty
    /// A request token, which can only be used for its exchange.
    case temporary(TemporaryCredentials)
    /// An access token.
    case token(TokenCredentials)

    /// The value of `oauth_token`; nil to omit it.
    var identifier: String? {
      switch self {
      case .none: nil
      case .empty: ""
      case .temporary(let credentials): credentials.identifier
      case .token(let credentials): credentials.identifier
      }
    }

    var secret: Secret? {
      switch self {
      case .none, .empty: nil
      case .temporary(let credentials): credentials.secret
      case .token(let credentials): credentials.secret
      }
    }
  }
}

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias TokenRole = OAuth.TokenRole
