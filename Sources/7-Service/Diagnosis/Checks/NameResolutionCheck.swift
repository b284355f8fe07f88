internal import Bytes
internal import Dispatch
internal import Platform

/// Checks whether the host names that the enabled accounts use can be resolved.
struct NameResolutionCheck: DiagnosticCheck {
  let name = "DNS"
  var timeLimit: Duration { .seconds(10) }

  /// The time limit for each name. All names are resolved at the same time.
  private static let patience = DispatchTimeInterval.seconds(8)

  func findings(in context: DiagnosticContext) -> [Finding] {
    let proxies = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    if proxies.contains(where: { context.variables[$0]?.isEmpty == false }) {
      return [.ok("a proxy resolves the names of servers")]
    }
    let servers = AccountServers(context)
    var hosts: [String] = []
    for origin in servers.origins where !origin.isLoopback && !hosts.contains(origin.host) { hosts.append(origin.host) }
    guard !hosts.isEmpty else { return [.ok("no account uses a server on another machine")] }
    let deadline = DispatchTime.now() + Self.patience
    let calls = hosts.map { host in
      TimedCall {
        Result { () throws(NameResolutionError) in try NameResolution.countOfAddresses(of: Self.withoutBrackets(host)) }
      }
    }
    let problems = zip(hosts, calls).compactMap { Self.problem($0, $1.value(by: deadline)) }
    let sound = hosts.count - problems.count
    return problems + (sound > 0 ? [.ok("\(sound) \(harmless: sound == 1 ? "name" : "names") resolved")] : [])
  }

  private static func problem(_ host: String, _ result: Result<Int, NameResolutionError>?) -> Finding? {
    let advice: DiagnosticText = "Check the network connection and the name servers (/etc/resolv.conf)"
    switch result {
    case .success: return nil
    case nil: return .fault("\(host: host): the name servers are not responding", next: advice)
    case .failure(let error):
      return .fault(
        "\(host: host): \(foreign: "\(error)")",
        next: error.isTemporary ? advice : "Check the host name in the configuration")
    }
  }

  /// Returns a host without the brackets that a URL puts around an IPv6 address.
  private static func withoutBrackets(_ host: String) -> String { host.filter { $0 != "[" && $0 != "]" } }
}
