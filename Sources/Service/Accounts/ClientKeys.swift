package import HomelineOAuth

/// The application's keys of an account, or why its secret cannot be had. Asked for when first needed, since a password manager
/// may take its time, and kept from then on; one that could not be had is asked for again. Belongs to the account's queue.
package final class ClientKeys {
  private let resolve: () throws(Failure) -> ClientCredentials
  private var known: ClientCredentials?

  package init(_ resolve: @escaping () throws(Failure) -> ClientCredentials) { self.resolve = resolve }

  package func get() throws(Failure) -> ClientCredentials {
    if let known { return known }
    let keys = try resolve()
    known = keys
    return keys
  }
}
