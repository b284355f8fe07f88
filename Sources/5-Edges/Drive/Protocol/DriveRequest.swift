package import HTTP
package import HomelineOAuth

/// A request to a drive's API or one of its upload servers, without file content.
package struct DriveRequest: Sendable, Hashable {
  package let method: RequestMethod
  package let url: String
  package var headers: [Header] = []
  /// The parameters of a form body; nil for a request without a body.
  package var form: [Parameter]?
  /// The signature, if it covers the request's time. It does not cover the address, so calls with the same parameters have the same
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
