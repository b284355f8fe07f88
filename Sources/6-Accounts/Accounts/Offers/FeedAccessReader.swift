internal import Providers
internal import Storage
internal import Time
internal import Timeline

/// Learns which kinds of timelines a server's administrators have restricted. A timeline that is switched off arrives without posts, as if
/// nobody had written any.
///
/// All accounts of a server share the answer. The server's description is requested at most once a day, whether or not it arrives.
enum FeedAccessReader {
  private static let lifetime = Duration.seconds(86_400)

  /// Returns how the server restricts timelines of a kind. Call within a job on the account's queue.
  /// - Parameter completion: called once, on the queue; receives `nil` if no restriction is known.
  static func read(
    for kind: TimelineName.Kind, in account: Account, _ context: JobContext,
    completion: @escaping (FeedAccess?) -> Void
  ) {
    guard let catalogue = account.provider as? any TimelineCatalogue, catalogue.restrictableKinds.contains(kind),
      let request = catalogue.feedAccessRequest(), let server = account.authority.authorizationServer?.metadata
    else { return completion(nil) }
    let (known, now) = (server.feeds, account.clock.now)
    let restricted = known?.restricted ?? [:]
    if let known, known.askedAt <= now, now - known.askedAt < lifetime { return completion(restricted[kind]) }
    // Without this record, a server could be asked again and again.
    guard (try? server.store(ServerFeeds(askedAt: now, restricted: restricted))) != nil else {
      return completion(restricted[kind])
    }
    let client = account.authority.providerClient
    context.onCancel { client.cancel() }
    // A server publishes its description, so no token is needed.
    client.send(request) { result in
      let current = (try? result.get()).flatMap { self.restrictions($0, catalogue) } ?? restricted
      if current != restricted { try? server.store(ServerFeeds(askedAt: now, restricted: current)) }
      completion(current[kind])
    }
  }

  /// Returns the restrictions in a response; `nil` if it says nothing about them. A server without this description has none.
  private static func restrictions(
    _ response: ProviderResponse, _ catalogue: any TimelineCatalogue
  ) -> [TimelineName.Kind: FeedAccess]? {
    do throws(ProviderFailure) { return try catalogue.feedAccess(from: response) } catch {
      if case .closed = error { return [:] }
      return nil
    }
  }
}

extension FeedAccess {
  /// Returns the restriction of hashtag timelines as a sentence without a full stop.
  func sentence(on server: String) -> String {
    switch self {
    case .off: "\(server) has switched off the timelines of hashtags: it sends no posts for them"
    case .localOnly: "\(server) shows only its own users' posts"
    case .remoteOnly: "\(server) shows only posts from other servers"
    }
  }
}
