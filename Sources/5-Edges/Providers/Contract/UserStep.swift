package import HTTPClient
package import Timeline

/// The result of a user request.
package enum UserStep: Sendable {
  case user(User)
  /// Another request is needed to identify the user.
  case ask(ClientRequest)
}
