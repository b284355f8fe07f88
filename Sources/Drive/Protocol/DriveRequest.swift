package import HTTP
package import HomelineOAuth

/// A request to a drive's API or to one of its upload servers, without any file content.
package struct DriveRequest: Sendable, Hashable {
  package let method: RequestMethod
  package let url: String
  package var headers: [Header] = []
  /// The parameters of a form body; nil for a request without a body.
  package var form: [Parameter]?
  /// The signature, if it covers the time of the request. It does not cover the address, so calls with the same parameters have the same
  /// signature.
  package internal(set) var signature: String?

  package struct Header: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  init(_ method: RequestMethod, _ url: String, headers: [Header] = [], form: [Parameter]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.form = form
  }
}

/// The identity with which requests are signed.
package enum DriveKey: Sendable, Hashable {
  /// A user's token. Requests are signed with the secret of the client that the token was issued to.
  /// - Parameter library: the number of the library (`mount_id`).
  case user(token: Secret, library: String?)
  /// A library's key. Requests signed with it need no token.
  case library(id: String)
  /// An enterprise's key, which can be used to request the keys of the enterprise's libraries.
  case enterprise(id: String)

  /// The secrets that a server's messages could repeat.
  package var secrets: [Secret] {
    if case .user(let token, _) = self { [token] } else { [] }
  }
}
