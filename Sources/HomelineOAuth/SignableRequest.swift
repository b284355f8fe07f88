/// What of a request its signature covers: method, URL with query, and a form body's parameters (RFC 5849 §3.4.1).
public struct SignableRequest: Sendable, Hashable {
  /// The method, upper-case.
  public let method: String
  /// Where it goes; its query is signed once, as parameters, and is no part of the base string URI.
  public let url: RequestURL
  /// The decoded parameters of a form body; empty for every other body.
  public let form: [OAuth.Parameter]

  /// A request without a body, with a form body, or with a body that is not signed (multipart, JSON): then `form` stays
  /// empty.
  public init(method: String, url: RequestURL, form: [OAuth.Parameter] = []) {
    self.method = ASCII.uppercased(method)
    self.url = url
    self.form = form
  }

  /// A request with the body as it goes over the wire. It is signed only when it is single-part form data and its content
  /// type says so (§3.4.1.3.1); multipart, JSON and all else is left out.
  ///
  /// - Throws: ``OAuth/FormError`` when a form body cannot be read.
  public init(method: String, url: RequestURL, contentType: String?, body: [UInt8]) throws(OAuth.FormError) {
    let isForm = contentType.map(MediaType.isForm) ?? false
    self.init(method: method, url: url, form: isForm ? try OAuth.FormEncoding.decode(body) : [])
  }

  /// Query and form, decoded, in the order they are sent; with `oauth_signature` left in.
  ///
  /// - Throws: ``OAuth/FormError`` when the query has a broken escape.
  public func parameters() throws(OAuth.FormError) -> [OAuth.Parameter] {
    var list = ParameterList()
    try append(to: &list)
    return list.parameters
  }

  /// Adds the same to a list.
  @inline(__always)
  func append(to list: inout ParameterList) throws(OAuth.FormError) {
    if let query = url.query { try OAuth.FormEncoding.append(query.utf8.span, limits: .init(), to: &list) }
    list.append(form)
  }
}

/// The one question that signing asks of a Content-Type (RFC 9110 §8.3.1).
enum MediaType {
  /// Whether it is `application/x-www-form-urlencoded`, in any letter case and with any parameters behind it:
  /// `; charset=UTF-8` does not make it another media type.
  static func isForm(_ contentType: String) -> Bool {
    let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 }
    return type.map { ASCII.lowercased($0) }.elementsEqual("application/x-www-form-urlencoded".utf8)
  }
}

extension OAuth {
  /// Which token a request is made with; it decides `oauth_token` and the second half of the key (RFC 5849 §3.1, §3.4.2).
  public enum TokenRole: Sendable, Hashable {
    /// None: `oauth_token` is left out. So are temporary credentials asked for.
    case none
    /// None, and `oauth_token` is sent empty. It is allowed and gives another signature; some old servers want it.
    case empty
    /// A request token, only to be exchanged.
    case temporary(TemporaryCredentials)
    /// An access token.
    case token(TokenCredentials)

    /// What is sent as `oauth_token`, nil when it is left out.
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

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias TokenRole = OAuth.TokenRole
