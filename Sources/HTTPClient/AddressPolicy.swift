/// Which machines a request may be sent to that somebody else has named: by a post, or in a server's metadata. The Internet always; this
/// machine and private networks only as it says here.
///
/// A direct connection is judged by the address that is connected to, so that neither a spelling nor a name that leads there helps.
/// Behind a proxy, which does the looking up, addresses and names are judged as they are written.
package struct AddressPolicy: Sendable, Hashable {
  /// Whether this machine may be asked.
  package var loopback: Bool
  /// Whether private networks may be.
  package var privateNetworks: Bool
  /// Hosts, as `host` or `host:port`, that may be anywhere; lower-case, an IPv6 address in brackets, no dot at the end.
  package var hosts: Set<String>

  package init(loopback: Bool = false, privateNetworks: Bool = false, hosts: Set<String> = []) {
    self.loopback = loopback
    self.privateNetworks = privateNetworks
    self.hosts = hosts
  }

  /// What reaches everything that a host as it is written may stand beside: for a server that is on this machine or in a private
  /// network itself, as far as its name or address shows that.
  package init(besides host: String, hosts: Set<String> = []) {
    let place = Self.place(ofHost: host, isResolvedElsewhere: true)
    self.init(loopback: place == .loopback, privateNetworks: place == .privateNetwork, hosts: hosts)
  }

  /// Whether a host may be anywhere.
  func exempts(host: String, port: Int) -> Bool {
    let host = Self.plain(host)
    return hosts.contains(host) || hosts.contains("\(host):\(port)")
  }

  /// Why an address is not connected to; `nil` where it may be.
  func refusal(of address: NetworkAddress?) -> String? {
    guard let address else { return "it is no address of the Internet" }
    return refusal(of: address.place).map { "\(address) is \($0)" }
  }

  /// Why a host is not asked, as far as it can be told by how it is written.
  /// - Parameter isResolvedElsewhere: by a proxy, so that the address will not be seen.
  func refusal(ofHost host: String, isResolvedElsewhere: Bool) -> String? {
    Self.place(ofHost: host, isResolvedElsewhere: isResolvedElsewhere).flatMap { refusal(of: $0) }.map { "it is \($0)" }
  }

  private func refusal(of place: NetworkAddress.Place) -> String? {
    switch place {
    case .global: nil
    case .loopback: loopback ? nil : "this machine"
    case .privateNetwork: privateNetworks ? nil : "in a private network"
    }
  }

  /// Where a host is, as far as it can be told by how it is written.
  /// - Returns: `nil` for a name that can lead anywhere.
  static func place(ofHost host: String, isResolvedElsewhere: Bool) -> NetworkAddress.Place? {
    if let address = NetworkAddress(host: host) { return address.place }
    let name = plain(host)
    // RFC 6761 §6.3, and the names that systems have for it.
    let loopback = ["localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"]
    if loopback.contains(name) || name.hasSuffix(".localhost") { return .loopback }
    guard isResolvedElsewhere else { return nil }
    // A name without a dot is looked up in the local domain only; the others are never the Internet's (RFC 6762, RFC 8375, and what is
    // reserved or in use for private networks).
    let domains = [
      ".local", ".internal", ".home.arpa", ".lan", ".home", ".corp", ".intranet", ".private", ".localdomain",
    ]
    return !name.contains(".") || domains.contains(where: { name.hasSuffix($0) }) ? .privateNetwork : nil
  }

  /// A host without the dot at its end, which says that it is whole.
  private static func plain(_ host: String) -> String {
    var host = host.lowercased()
    while host.hasSuffix(".") { host.removeLast() }
    return host
  }
}
