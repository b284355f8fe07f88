/// The networks that a request to an untrusted URL may reach, such as a URL in a post or in a server's metadata. By default, these are the
/// public Internet addresses only.
///
/// For a direct connection, the policy checks the address being connected to, so no spelling or DNS name can bypass the policy. A proxy
/// resolves names itself; the policy then checks the host as written in the URL.
package struct AddressPolicy: Sendable, Hashable {
  /// Whether requests may reach this machine.
  package var loopback: Bool
  /// Whether requests may reach private networks.
  package var privateNetworks: Bool
  /// Whether requests may reach public Internet addresses.
  package var publicNetworks = true
  /// The exempt hosts, as `host` or `host:port`, in lower case and without a trailing dot. IPv6 addresses are in brackets.
  package var hosts: Set<String>

  package init(loopback: Bool = false, privateNetworks: Bool = false, hosts: Set<String> = []) {
    self.loopback = loopback
    self.privateNetworks = privateNetworks
    self.hosts = hosts
  }

  /// Creates a policy that allows a trusted host's network: loopback if the host is on this machine, and private networks if it is in one.
  /// Only the host's name or address determines this.
  package init(trusting host: String, hosts: Set<String> = []) {
    let scope = Self.scope(ofHost: host, isResolvedByProxy: true)
    self.init(loopback: scope == .loopback, privateNetworks: scope == .privateNetwork, hosts: hosts)
  }

  /// Returns whether a host is exempt from the policy.
  func exempts(host: String, port: Int) -> Bool {
    let host = Self.normalized(host)
    return hosts.contains(host) || hosts.contains("\(host):\(port)")
  }

  /// Returns the reason not to connect to an address; nil if the policy allows it.
  func objection(to address: NetworkAddress?) -> String? {
    guard let address else { return "it is not an IPv4 or IPv6 address" }
    return objection(to: address.scope).map { "\(address) is \($0)" }
  }

  /// Returns the reason not to send requests to a host, judging by its spelling alone; nil if there is none.
  /// - Parameter isResolvedByProxy: whether a proxy resolves the name, so that its address cannot be checked.
  func objection(toHost host: String, isResolvedByProxy: Bool) -> String? {
    Self.scope(ofHost: host, isResolvedByProxy: isResolvedByProxy).flatMap { objection(to: $0) }.map { "it is \($0)" }
  }

  private func objection(to scope: NetworkAddress.Scope) -> String? {
    switch scope {
    case .global: publicNetworks ? nil : "on the Internet"
    case .loopback: loopback ? nil : "this machine"
    case .privateNetwork: privateNetworks ? nil : "in a private network"
    }
  }

  /// Returns the scope of a host, judging by its spelling alone.
  /// - Returns: the scope; nil for a name that may resolve to any address.
  static func scope(ofHost host: String, isResolvedByProxy: Bool) -> NetworkAddress.Scope? {
    if let address = NetworkAddress(host: host) { return address.scope }
    let name = normalized(host)
    // These are the names in RFC 6761 §6.3, and names that common systems use for loopback.
    let loopback = ["localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"]
    if loopback.contains(name) || name.hasSuffix(".localhost") { return .loopback }
    guard isResolvedByProxy else { return nil }
    // Names without a dot are resolved only in the local domain. The listed domains are reserved for private networks (RFC 6762,
    // RFC 8375) or commonly used there.
    let domains = [
      ".local", ".internal", ".home.arpa", ".lan", ".home", ".corp", ".intranet", ".private", ".localdomain",
    ]
    return !name.contains(".") || domains.contains(where: { name.hasSuffix($0) }) ? .privateNetwork : nil
  }

  /// Returns a host in lower case and without trailing dots.
  private static func normalized(_ host: String) -> String {
    var host = host.lowercased()
    while host.hasSuffix(".") { host.removeLast() }
    return host
  }
}
