/// Why an authorisation request leads to no question (RFC 6749 §4.1.2.1).
enum AuthorizationFault: Error {
  /// Client or redirect URI are not known: nobody is sent anywhere.
  case page(String)
  /// The client is told.
  case redirect(to: String, state: String?, error: String, description: String)
}
