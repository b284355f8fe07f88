package import Timeline

/// How far it is known whose token it is.
package enum UserStep: Sendable {
  case user(User)
  /// It takes another request to know all of it.
  case ask(ProviderRequest)
}
