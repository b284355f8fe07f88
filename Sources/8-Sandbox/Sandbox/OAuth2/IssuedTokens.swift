package import HTTP
package import JSON

/// The tokens in a token endpoint's response.
package struct IssuedTokens: Sendable, Equatable {
  package let access: String
  package let refresh: String?
  /// The lifetime of the access token; `nil` if it never expires.
  package let expiresIn: Duration?
  package let scopes: [String]
  package let userID: String
  /// Whether `expires_in` is written as a string.
  package let writesExpiryAsText: Bool

  var scope: String { scopes.joined(separator: " ") }

  /// Writes the members defined in RFC 6749 §5.1 into an object.
  package func writeMembers(to writer: inout JSONWriter, tokenType: String = "Bearer") {
    writer.member("access_token", access)
    writer.member("token_type", tokenType)
    if let expiresIn {
      let seconds = expiresIn.components.seconds
      if writesExpiryAsText {
        writer.member("expires_in", String(seconds))
      } else {
        writer.member("expires_in", seconds)
      }
    }
    if let refresh { writer.member("refresh_token", refresh) }
    writer.member("scope", scope)
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writeMembers(to: &$0) }
    return writer.bytes
  }

  package var response: Response {
    var response = Response(json: json)
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}
