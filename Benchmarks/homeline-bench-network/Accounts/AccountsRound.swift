internal import Accounts
internal import Benchmarking
import Bytes
internal import Dispatch
internal import HTTPClient
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Service
internal import Time
internal import Timeline

/// Refreshes many accounts on one serial queue, with a limit on concurrent requests.
// The class is Sendable because only its queue accesses its mutable state until all requests have ended.
final class AccountsRound: @unchecked Sendable {
  private let queue = DispatchQueue(label: "homeline.bench")
  private let client: Client
  private let provider: any Provider
  private let accounts: [ServedAccount]
  private let connections: Int
  private var next = 0
  private var underWay = 0
  private var bad = 0
  private var new = 0
  private var times = MeasuredAccount.Times()
  private var done: (@Sendable () -> Void)?

  /// Opens the databases of all accounts, as the service does when it starts.
  init(url: String, authority: String, homes: String, accounts: Int, connections: Int) throws {
    client = Client(policy: ClientPolicy(userAgent: "homeline-bench", environment: ["CURL_CA_BUNDLE": authority]))
    let place = ProviderLocation(endpoints: [.homeTimeline: try RequestURL(url)])
    guard let provider = try ProviderRegistry.named("twitter", at: place) else {
      preconditionFailure("twitter is a provider")
    }
    self.provider = provider
    self.connections = connections
    self.accounts = try (0..<accounts).map { try ServedAccount("account-\($0)", below: homes) }
  }

  /// Refreshes each account once, after all earlier requests have ended.
  func start(_ done: @escaping @Sendable () -> Void) {
    queue.async {
      self.done = done
      (self.next, self.bad, self.new, self.times) = (0, 0, 0, MeasuredAccount.Times())
      for _ in 0..<min(self.connections, self.accounts.count) { self.refreshNext() }
    }
  }

  /// The result, once the round is complete.
  var figures: Figures {
    let count = Double(accounts.count)
    var figures = Figures()
    figures.add("bad", bad)
    figures.add("posts", new)
    figures.add("parse_us", times.parsing / count)
    figures.add("store_us", times.storing / count)
    figures.add("publish_us", times.publishing / count)
    return figures
  }

  private func refreshNext() {
    guard next < accounts.count else {
      if underWay == 0 { done?() }
      return
    }
    let account = accounts[next]
    let signer = signer(of: next)
    next += 1
    underWay += 1
    let provider = provider
    let providerClient = ProviderClient(
      client: client, queue: queue, clock: .system, cap: RequestCap(clock: { .now }), requestsPerMinute: .max,
      classify: { provider.classify($0) }, hiding: { _ in .nothing }, log: .silent)
    let since: PostPosition?
    do { since = try account.begin(at: WallClock.system.now) } catch { return end(.failure(error)) }
    let page = provider.pageRequest(for: TimelineQuery(since: since, count: 200))
    providerClient.call { nonceTimestamp in
      try RequestAuthority.signer(signer).authorised(page, nonceTimestamp: nonceTimestamp)
    } completion: { result in
      // This reference keeps the client alive until its request has ended.
      withExtendedLifetime(providerClient) {}
      self.end(Result { try account.end(with: result.get().body, at: WallClock.system.now) })
    }
  }

  private func end(_ result: Result<(new: Int, times: MeasuredAccount.Times), any Error>) {
    underWay -= 1
    switch result {
    case .success(let refresh):
      new += refresh.new
      times = times + refresh.times
    case .failure: bad += 1
    }
    refreshNext()
  }

  private func signer(of number: Int) -> Signer {
    Signer(
      client: ClientCredentials(
        identifier: "xvz1evFS4wEEPTGEFPHBog", secret: Secret("kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw")),
      token: .token(
        TokenCredentials(
          identifier: "\(number)-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
          secret: Secret("LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"))))
  }
}
