package import CivilTime
package import Dispatch
package import HomelineOAuth
internal import HTTP
package import HTTPClient
package import Platform
package import Providers

/// Sends one account's requests, and learns how far the server's clock is off from this machine's.
///
/// Each signed request has its own nonce and timestamp. If a request is rejected because of its timestamp, it is signed and sent once more
/// with the server's time. Belongs to the account's queue.
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
  private var offset = ClockOffset()
  private var warned = false
  private var underWay: Client.Ticket?
  /// How far the server's clock was ahead of this machine's at the last response.
  private var ahead: Duration?

  /// - Parameters:
  ///   - sendsTimestamps: whether a request contains its time, so that a server can reject it for that reason. A request with a bearer
  ///     token contains no time.
  ///   - reach: restricts requests to addresses from the server's metadata; `nil` if no address comes from metadata.
  ///   - cap: counts the requests, and refuses any beyond `requestsPerMinute`.
  ///   - classify: interprets a rejection.
  ///   - hiding: removes the account's secrets from quoted responses, including those sent with the request.
  ///   - log: receives one warning if the clock is more than a minute off. For troubleshooting, it also receives each request and its
  ///     outcome, without the query and other data that may be secret.
  package init(
    client: Client, queue: DispatchQueue, clock: WallClock, sendsTimestamps: Bool = true,
    reach: ServerAddressPolicy? = nil,
    cap: RequestCap, requestsPerMinute: Int, classify: @escaping (ProviderResponse) -> ProviderFailure?,
    hiding: @escaping ([Secret]) -> Redaction, log: Log
  ) {
    self.hiding = hiding
    self.sendsTimestamps = sendsTimestamps
    self.reach = reach
    self.cap = cap
    self.requestsPerMinute = requestsPerMinute
    self.client = client
    self.queue = queue
    self.clock = clock
    self.classify = classify
    self.log = log
  }

  /// Signs and sends a request. The completion receives any response from the provider, including rejections, asynchronously and on the
  /// queue.
  /// - Parameter secrets: the secrets in the request. Without this list, a short secret would not be recognised in the response.
  package func call(with secrets: [Secret] = [], _ sign: @escaping Sign, completion: @escaping Completion) {
    call(with: secrets, sign, isSecondTry: false, completion)
  }

  /// Sends a request that must never be sent more than once, such as a token request. The completion is called as for `call`.
  package func send(_ request: ClientRequest, with secrets: [Secret] = [], completion: @escaping Completion) {
    send(request, with: secrets, signedAt: serverNow, completion)
  }

  /// The server's current time, according to its last response.
  package var serverNow: Timestamp { serverNow(supposing: .zero) }

  /// Returns the server's current time, even before its first response.
  /// - Parameter offset: the last known amount by which the server's clock was ahead of this machine's.
  package func serverNow(supposing offset: Duration) -> Timestamp { clock.now + (ahead ?? offset) }

  /// Cancels the running request, if any. Its completion receives a failure.
  package func cancel() { underWay?.cancel() }

  private func call(
    with secrets: [Secret], _ sign: @escaping Sign, isSecondTry: Bool, _ completion: @escaping Completion
  ) {
    let signedAt = Timestamp(seconds: offset.correctedTimestamp(local: clock.now.seconds))
    let request: ClientRequest
    do {
      request = try sign(try NonceTimestamp.random(timestamp: signedAt.seconds))
    } catch {
      return queue.later {
        completion(.failure(OperationError(.configuration, "the request cannot be signed: \(error)", wasSent: false)))
      }
    }
    send(request, with: secrets, signedAt: signedAt) { result in
      if case .success(let response) = result, !isSecondTry, self.learnClock(from: response) {
        self.call(with: secrets, sign, isSecondTry: true, completion)
      } else {
        completion(result)
      }
    }
  }

  private func send(
    _ request: ClientRequest, with secrets: [Secret], signedAt: Timestamp, _ completion: @escaping Completion
  ) {
    let isLarge = request.streamedBody.map { $0.count >= Self.uncountedSize } ?? false
    if !isLarge, case .refused(let wait, let isFirst) = cap.ask(atMost: requestsPerMinute) {
      return refuse(until: clock.now + wait, isFirst: isFirst, completion)
    }
    // Hide the secrets known now as well as those known when the response arrives: by then, some may have been removed, and others added.
    let hidden = hiding(secrets)
    let what = "\(request.method) \(request.url.prefix { $0 != "?" })"
    let received = QueueConfined { (result: Result<Response, ClientError>) in
      switch result {
      case .failure(let error):
        self.log(.debug, "\(what): \(error)")
        completion(.failure(OperationError(error)))
      case .success(let response):
        self.log(.debug, "\(what): \(response.status.code), \(response.body.count) bytes")
        let response = ProviderResponse(
          response, receivedAt: self.clock.now, signedAt: self.sendsTimestamps ? signedAt : nil,
          hiding: hidden.union(self.hiding(secrets)))
        if let serverTime = response.serverTime { self.ahead = serverTime - response.receivedAt }
        completion(.success(response))
      }
    }
    var request = request
    request.addressPolicy = reach?.reach(of: request.url)
    underWay = client.send(request, on: queue) { received.value($0) }
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

  /// Learns the server's time from an error response.
  /// - Returns: whether the request was rejected because of a wrong time, and the correct time is now known.
  private func learnClock(from response: ProviderResponse) -> Bool {
    // A page of posts is not a rejection, and searching it for a time would cost as much as decoding it.
    guard response.status >= 400 || response.body.count < 2048 else { return false }
    guard case .clock(_, let serverTime?) = classify(response) else { return false }
    offset.learn(server: serverTime.seconds, local: response.receivedAt.seconds)
    if let warning = offset.warning, !warned {
      warned = true
      log(
        .warning,
        "\(warning) Requests are signed with the provider's time; set this machine's clock (timedatectl set-ntp true).")
    }
    return true
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

extension ProviderResponse {
  /// - Parameter signedAt: the time in the request; `nil` if the request contains none.
  fileprivate init(_ response: Response, receivedAt: Timestamp, signedAt: Timestamp?, hiding: Redaction) {
    let headers = response.headers
    let signedAt = signedAt ?? headers.first("Date").flatMap { Timestamp(imfFixdate: $0) }
    self.init(
      status: response.status.code, body: response.body, receivedAt: receivedAt, signedAt: signedAt, hiding: hiding
    ) { name in
      FieldName(name).flatMap { headers.first($0) }
    }
  }
}

/// A limit on an account's requests per minute, which protects the provider if this program has a bug. It counts scheduled requests,
/// retries and the user's own requests. A program that works correctly never gets close to it.
///
/// Outlives configuration reloads. Belongs to the account's queue.
package final class RequestCap {
  private static let window = Duration.seconds(60)

  /// A clock that cannot be set. The wall clock could be set back.
  private let clock: @Sendable () -> BootInstant
  /// The times of the last requests, oldest first; at most as many as the cap allows.
  private var sent: [BootInstant] = []
  private var isOpen = true

  package init(clock: @escaping @Sendable () -> BootInstant) { self.clock = clock }

  /// Whether a request may be sent.
  enum Permission: Equatable {
    /// The request may be sent, and counts towards the limit.
    case granted
    /// The request must wait.
    /// - Parameter isFirst: whether the previous request was sent.
    case refused(wait: Duration, isFirst: Bool)
  }

  /// Decides whether a request may be sent and, if so, counts it towards the limit.
  func ask(atMost perMinute: Int) -> Permission {
    let now = clock()
    sent.removeAll { now - $0 >= Self.window }
    guard sent.count >= perMinute else {
      sent.append(now)
      isOpen = true
      return .granted
    }
    defer { isOpen = false }
    return .refused(wait: Self.window - (now - sent[sent.count - perMinute]), isFirst: isOpen)
  }
}
