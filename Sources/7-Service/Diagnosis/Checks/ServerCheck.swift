internal import Bytes
internal import Commands
internal import Dispatch
internal import HTTP
internal import HTTPClient
internal import Platform
internal import Time

/// Checks whether each server that the enabled accounts use responds, and whether its clock agrees with this machine's. Each server
/// receives one HEAD request without a key or a token, over TLS unless the server is on this machine.
struct ServerCheck: DiagnosticCheck {
  let name = "servers"
  var timeLimit: Duration { .seconds(12) }

  /// The clock skew beyond which servers refuse OAuth 1.0a signatures and renewals.
  private static let largestDifference = Duration.seconds(300)
  /// The clock skew beyond which there is a warning.
  private static let usualDifference = Duration.seconds(15)

  func findings(in context: DiagnosticContext) -> [Finding] {
    let servers = AccountServers(context)
    guard !servers.origins.isEmpty else { return [.ok("no account uses a server on another machine")] }
    var policy = ClientPolicy(userAgent: Version.userAgent, environment: context.variables)
    policy.connectTimeout = .seconds(8)
    policy.totalTimeout = .seconds(10)
    let client = Client(policy: policy)
    let calls = servers.origins.map { origin in TimedCall { Self.probe(origin, client) } }
    let deadline = DispatchTime.now() + .seconds(11)
    return zip(servers.origins, calls).flatMap { origin, call in
      call.value(by: deadline).map { Self.findings(origin, $0) }
        ?? [.fault("\(host: origin.authority) did not respond in time")]
    } + servers.limitFinding
  }

  /// A server's response.
  struct Probe: Sendable {
    let status: Int
    /// How far the server's clock is ahead of this machine's, to the nearest second; nil if the server does not report its time.
    let clockDifference: Duration?
    let time: Duration
  }

  private static func probe(_ origin: RequestURL, _ client: Client) -> Result<Probe, ClientError> {
    let isReady = DispatchSemaphore(value: 0)
    let outcome = Locked<Result<Probe, ClientError>?>(nil)
    let (begun, sentAt) = (BootInstant.now, WallClock.system.now)
    client.send(ClientRequest(method: .head, url: origin.text), on: DispatchQueue(label: "homeline.doctor")) { result in
      let time = BootInstant.now - begun
      outcome.withLock { outcome in
        outcome = result.map { response in
          let served = response.headers.first(.date).flatMap { Timestamp(imfFixdate: $0) }
          return Probe(
            status: response.status.code, clockDifference: served.map { difference($0, sentAt + time / 2) }, time: time)
        }
      }
      isReady.signal()
    }
    isReady.wait()
    return outcome.withLock { $0! }
  }

  /// Returns the difference between the server's time and the local time. The server's time is assumed to be rounded down to whole seconds.
  static func difference(_ served: Timestamp, _ local: Timestamp) -> Duration {
    served + .milliseconds(500) - local
  }

  static func findings(_ origin: RequestURL, _ result: Result<Probe, ClientError>) -> [Finding] {
    switch result {
    case .failure(let error): return [.fault("\(foreign: "\(error)")")]
    case .success(let probe):
      let manner = origin.isHTTPS ? "responds over TLS" : "responds without TLS, from this machine"
      let time = probe.time.nanoseconds / 1_000_000
      let reply = Finding.ok("\(host: origin.authority) \(harmless: manner), status \(probe.status), in \(time) ms")
      return [reply] + (probe.clockDifference.flatMap { clock(origin, $0) }.map { [$0] } ?? [])
    }
  }

  private static func clock(_ origin: RequestURL, _ difference: Duration) -> Finding? {
    let size = difference < .zero ? .zero - difference : difference
    guard size > usualDifference else { return nil }
    return Finding(
      size > largestDifference ? .fault : .warning,
      "this machine's clock is \(size.components.seconds) s \(harmless: difference < .zero ? "ahead of" : "behind") the clock of \(host: origin.authority)",
      next: "Set the clock: timedatectl set-ntp true")
  }
}
