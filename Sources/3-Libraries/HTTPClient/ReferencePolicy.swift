/// The networks that a walk may reach. It begins at the server that the user named, and continues at servers that others name.
///
/// The user's server may be anywhere. Other servers must be public, unless the user's server is also on this machine or in a private
/// network. Connecting shows where the user's server is: one policy after another is tried, and each allows only one kind of address. Thus
/// neither another spelling nor a name server that changes its answer gives access to the private network.
package struct ReferencePolicy: Sendable {
  /// The places where the user's server can be, in the order they are tried.
  private static let places = [
    AddressPolicy(), AddressPolicy(privateNetworks: true).withoutPublicNetworks,
    AddressPolicy(loopback: true).withoutPublicNetworks,
  ]

  private var place = 0

  package init() {}

  /// The policy for the next request to the server that the user named.
  package var forNamedServer: AddressPolicy { Self.places[place] }

  /// The policy for the next request to any other server. A server on this machine may also refer to its private network.
  package var forOthers: AddressPolicy { AddressPolicy(loopback: place == 2, privateNetworks: place > 0) }

  /// Records that the policy forbids the address of the user's server.
  /// - Returns: whether to send the request again, with the next policy.
  package mutating func noteForbidden(after attempts: Int) -> Bool {
    guard attempts < Self.places.count else { return false }
    place = (place + 1) % Self.places.count
    return true
  }
}

extension AddressPolicy {
  fileprivate var withoutPublicNetworks: AddressPolicy {
    var policy = self
    policy.publicNetworks = false
    return policy
  }
}
