internal import HomelineOAuth
package import Bytes

/// The built-in provider for the demo and the tests: Twitter's v1.1 API, on the loopback port used in this run.
package struct SandboxProvider: TwitterCompatible {
  package static let name = "sandbox"

  package let addresses: TwitterAddresses
  package let traits = ProviderTraits(requestsPerMinute: 600)

  /// A fixed name replaces the address, because the port can change from run to run.
  package let server = "sandbox"

  package init?(at place: ProviderLocation) throws(RequestURLError) {
    guard place.version == .oauth1, let base = place.base else { return nil }
    addresses = try TwitterAddresses(place, below: base.folder)
  }

  package func permalink(screenName: String, id: String) -> String? {
    "\(addresses.homeTimeline.origin)/\(screenName)/status/\(id)"
  }
}
