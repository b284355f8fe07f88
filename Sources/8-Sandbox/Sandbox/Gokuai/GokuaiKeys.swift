/// The keys that the simulated drive accepts.
package enum GokuaiKeys {
  /// The library's key.
  package static let clientID = "sandbox-library"
  package static let clientSecret = "gokuai-sandbox-library-secret"
  /// The key of the enterprise that owns the library, and the library's number.
  package static let enterpriseID = "sandbox-enterprise"
  package static let enterpriseSecret = "gokuai-sandbox-enterprise-secret"
  package static let libraryID = "7"
  /// The client that the user logs in through, with a name and a password.
  package static let appID = "sandbox-app"
  package static let appSecret = "gokuai-sandbox-app-secret"
}
