package import Bytes
package import Dispatch
package import Folders
internal import HTTP
package import HTTPClient
package import HomelineOAuth
package import Platform
package import Providers
package import Time

/// Sends one account's requests, and learns how far the server's clock differs from this machine's.
///
/// Each signed request has its own nonce and timestamp. If a request is refused because of its timestamp or nonce, it is signed and sent
/// again, with the server's time and a new nonce. Belongs to the account's queue.
package final class ProviderClient {
  /// Creates a request with the given nonce and timestamp. It is called again for a second attempt.
  package typealias Sign = (NonceTimestamp) throws -> ClientRequest
  package typealias Completion = (Result<ProviderResponse, OperationError>) -> Void

  /// The minimum size in bytes of a file whose upload requests do not count towards the cap. Each part is sent only after the server has
  /// confirmed the previous one, and a fast connection can send more parts per minute than the cap allows requests.
  private static let uncountedSize = 1 << 20

  private let client: Client
  private let queue: DispatchQueue
  private let clock: WallClock
  private let sendsTimestamps: Bool
  private let reach: ServerAddressPolicy?
  private let cap: RequestCap
  private let requestsPerMinute: Int
  private let classify: (ProviderResponse) -> ProviderFailure?
  private let hiding: ([Secret]) -> Redaction
  private let log: Log
  private let stored: ClockOffsetFile?
  private var offset = ClockOffset()
  private var isStored = true
  private var warned = false
  private var underWay: Client.Ticket?
  /// How far the server's clock was ahead of this machine's at the last response.
  private var ahead: Duration?

  /// - Parameters:
  ///   - sendsTimestamps: whether a request contains its time, so that a server can refuse it for that reason. A request with a bearer
  ///     token contains no time.
  ///   - stored: keeps the difference between the clocks for later processes; `nil` to forget it.
  ///   - reach: restricts requests to addresses from the server's metadata; `nil` if no address comes from metadata.
  ///   - cap: counts the requests, and refuses any beyond `requestsPerMinute`.
  ///   - classify: interprets a refusal.
  ///   - hiding: removes the account's secrets from quoted responses, including those sent with the request.
  ///   - log: receives one warning if the clock is more than a minute off. For troubleshooting, it also receives each request and its
  ///     outcome, without the query and other data that may be secret.
  package init(
    client: Client, queue: DispatchQueue, clock: WallClock, sendsTimestamps: Bool = true,
    stored: ClockOffsetFile? = nil, reach: ServerAddressPolicy? = nil,
    cap: RequestCap, requestsPerMinute: Int, classify: @escaping (ProviderResponse) -> ProviderFailure?,
    hiding: @escaping ([Secret]) -> Redaction, log: Log
  ) {
    self.hiding = hiding
    self.sendsTimestamps = sendsTimestamps
    self.stored = stored
    if sendsTimestamps, let stored {
      let now = clock.now.seconds
      offset.learn(server: now + stored.seconds, local: now)
    }
    self.reach = reach
    self.cap = cap
    self.requestsPerMinute = requestsPerMinute
    self.client = client
    self.queue = queue
    self.clock = clock
    self.classify = classify
    self.log = log
  }

  /// Signs and sends a request. The completion receives any response from the provider, including refusals, asynchronously and on the
  /// queue.
  /// - Parameters:
  ///   - secrets: the secrets in the request. Without this list, a short secret would not be recognised in the response.
  ///   - mayHaveEffect: whether carrying out the request twice would do harm. If such a request is refused because of its nonce, it is not
  ///     sent again: something between client and server may have sent it twice, and the server may have carried out the first copy.
  package func call(
    with secrets: [Secret] = [], mayHaveEffect: Bool = false, _ sign: @escaping Sign, completion: @escaping Completion
  ) {
    call(with: secrets, sign, repeatsNonce: !mayHaveEffect, isSecondTry: false, completion)
  }

  /// Sends a request that must never be sent more than once, such as a token request. The completion is called as for `call`.
  package func send(
    _ request: @autoclosure () throws -> ClientRequest, with secrets: [Secret] = [], completion: @escaping Completion
  ) {
    do { send(try request(), with: secrets, signedAt: serverNow, completion) } catch { fail(error, completion) }
  }

  /// The server's current time, according to its last response.
  package var serverNow: Timestamp { serverNow(supposing: .zero) }

  /// Returns the server's current time, even before its first response.
  /// - Parameter offset: how far the server's clock was last known to be ahead of this machine's.
  package func serverNow(supposing offset: Duration) -> Timestamp { clock.now + (ahead ?? offset) }

  /// Cancels the running request, if any. Its completion receives a failure.
  package func cancel() { underWay?.cancel() }

  private func call(
    with secrets: [Secret], _ sign: @escaping Sign, repeatsNonce: Bool, isSecondTry: Bool,
    _ completion: @escaping Completion
  ) {
    let signedAt = Timestamp(seconds: offset.correctedTimestamp(local: clock.now.seconds))
    let request: ClientRequest
    do {
      request = try sign(try NonceTimestamp.random(timestamp: signedAt.seconds))
    } catch { return fail(error, completion) }
    send(request, with: secrets, signedAt: signedAt) { result in
      self.storeOffset()
      if case .success(let response) = result, !isSecondTry,
        self.isWorthSigningAgain(after: response, repeatsNonce: repeatsNonce)
      {
        self.call(with: secrets, sign, repeatsNonce: false, isSecondTry: true, completion)
      } else {
        completion(result)
      }
    }
  }

  private func send(
    _ request: ClientRequest, with secrets: [Secret], signedAt: Timestamp, _ completion: @escaping Completion
  ) {
    let isLarge = request.streamedSize >= Self.uncountedSize
    if !isLarge, case .refused(let wait, let isFirst) = cap.ask(atMost: requestsPerMinute) {
      return refuse(until: clock.now + wait, isFirst: isFirst, completion)
    }
    // Hide the secrets known now and those known when the response arrives: some may then have been removed, and others added.
    let hidden = hiding(secrets)
    let what = "\(request.method) \(request.url.prefix { $0 != "?" })"
    let received = QueueConfined { (result: Result<Response, ClientError>) in
      switch result {
      case .failure(let error):
        self.log(.debug, "\(what): \(error)")
        completion(.failure(OperationError(error)))
      case .success(let response):
        self.log(.debug, "\(what): \(response.status.code), \(response.body.count) bytes")
        // A request without a time cannot be refused because of its time.
        let signedAt =
          self.sendsTimestamps ? signedAt : response.headers.first(.date).flatMap { Timestamp(imfFixdate: $0) }
        let response = ProviderResponse(
          status: response.status.code, body: response.body, receivedAt: self.clock.now, signedAt: signedAt,
          hiding: hidden.union(self.hiding(secrets)), headers: response.headers)
        if let serverTime = response.serverTime { self.ahead = serverTime - response.receivedAt }
        completion(.success(response))
      }
    }
    var request = request
    request.addressPolicy = reach?.reach(of: request.url)
    underWay = client.send(request, on: queue) { received.value($0) }
  }

  /// Reports that a request could not be created.
  private func fail(_ error: any Error, _ completion: @escaping Completion) {
    queue.later {
      completion(.failure(OperationError(.configuration, "the request cannot be signed: \(error)", wasSent: false)))
    }
  }

  /// Refuses a request without sending it, because some code is sending far more requests than it should.
  private func refuse(until moment: Timestamp, isFirst: Bool, _ completion: @escaping Completion) {
    let message = "\(requestsPerMinute) requests were sent within a minute, the maximum for this account"
    if isFirst {
      log(.error, "\(message); none will be sent before \(moment.rfc3339). If you did not cause this, please report it")
    }
    queue.later {
      completion(
        .failure(OperationError(.tryAgain(at: moment), "\(message); try again at \(moment.rfc3339)", wasSent: false)))
    }
  }

  /// Returns whether a new signature can remove the reason for a refusal. Learns the server's time from the response.
  private func isWorthSigningAgain(after response: ProviderResponse, repeatsNonce: Bool) -> Bool {
    // A page of posts is not a refusal, and searching it for a time would cost as much as decoding it.
    guard response.status >= 400 || response.body.count < 2048 else { return false }
    switch classify(response) {
    case .clock(_, let serverTime?):
      learn(serverTime, from: response)
      return true
    // Without a signature, a request has no nonce that could be replaced.
    case .nonceUsed: return repeatsNonce && sendsTimestamps
    default: return false
    }
  }

  /// Stores the difference between the clocks, unless it is already stored. This may succeed only after a login has created the folder.
  private func storeOffset() {
    if !isStored { isStored = stored?.store(offset) ?? true }
  }

  private func learn(_ serverTime: Timestamp, from response: ProviderResponse) {
    offset.learn(server: serverTime.seconds, local: response.receivedAt.seconds)
    isStored = false
    storeOffset()
    if let warning = offset.warning, !warned {
      warned = true
      log(
        .warning,
        "\(warning) Requests are signed with the provider's time; set this machine's clock (timedatectl set-ntp true).")
    }
  }
}

extension OperationError {
  fileprivate init(_ error: ClientError) {
    guard error.kind == .forbidden else {
      // The only local failure is that a file to send cannot be read.
      self.init(error.kind == .local ? .badContent : .unavailable, "\(error)", wasSent: error.wasSent)
      return
    }
    self.init(
      .configuration,
      "\(error). The address comes from the server's metadata, and a server on the Internet should not point there. If this is intended, set the "
        + "server's addresses under \"endpoints\" in the account",
      wasSent: false)
  }
}
