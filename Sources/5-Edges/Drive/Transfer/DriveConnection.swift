package import Bytes
internal import Dispatch
internal import HTTP
package import HTTPClient
internal import HomelineOAuth
internal import Platform
package import Time

/// Sends requests to a drive and waits for the responses. Any thread may use it.
package final class DriveConnection: Sendable {
  /// Obtains another token for a user whose token the server has refused.
  package typealias Renewal = @Sendable (_ refused: Secret) throws(DriveError) -> Secret

  package let hosts: DriveHosts
  private let currentAPI: Locked<DriveAPI>
  private let renewal: Renewal?
  /// A lock that is held during a renewal, so that several transfers renew a token only once.
  private let renewing = Locked(false)
  private let client: Client
  private let clock: WallClock
  private let serverClock = Locked(ServerClock())
  private let sentSignatures = Locked(SentSignatures())
  private let addresses: AddressPolicy
  private let queue = DispatchQueue(label: "homeline.drive")

  /// The longest pause between two attempts of a call. If a longer pause is needed, the user has to repeat the command.
  private static let longestPause = Duration.seconds(30)
  /// The maximum time without progress during a transfer.
  private static let idleTimeout = Duration.seconds(60)
  /// The maximum number of attempts for a repeatable call that fails temporarily.
  private static let attempts = 3
  /// How many seconds a request's time is moved back if its signature is refused. Servers tolerate a few minutes.
  private static let corrections: ClosedRange<Int64> = 1...240

  /// - Parameter renewal: called when the server refuses a user's token; nil for a key that needs no token.
  package init(
    _ api: DriveAPI, hosts: DriveHosts, by client: Client, clock: WallClock = .system, renewal: Renewal? = nil
  ) {
    currentAPI = Locked(api)
    self.renewal = renewal
    self.hosts = hosts
    self.client = client
    self.clock = clock
    // The addresses in responses must not point to the user's own network, unless the drive's server is there.
    addresses = AddressPolicy(trusting: hosts.api.host)
  }

  /// The API with the current token.
  package var api: DriveAPI { currentAPI.withLock { $0 } }

  /// Calls `body` with the API. If the server refuses the token, the token is renewed, and `body` is called once more.
  package func withValidToken<Value>(
    _ body: (DriveAPI) throws(DriveError) -> Value
  ) throws(DriveError) -> Value {
    let api = self.api
    do throws(DriveError) { return try body(api) } catch {
      guard error.kind == .tokenExpired, let renewed = try self.renewed(api) else { throw error }
      return try body(renewed)
    }
  }

  /// Returns the API with a token other than the refused one; nil if there is no other token.
  private func renewed(_ refused: DriveAPI) throws(DriveError) -> DriveAPI? {
    guard let renewal, case .user(let token, _) = refused.key else { return nil }
    return try renewing.withLock { (_) throws(DriveError) in
      // Another transfer may have renewed the token.
      let current = api
      if current.key != refused.key { return current }
      let renewed = current.replacing(token: try renewal(token))
      guard renewed.key != refused.key else { return nil }
      currentAPI.withLock { $0 = renewed }
      return renewed
    }
  }

  /// Creates an API request, sends it and checks the response.
  /// - Parameter make: creates the request from the API and the current time.
  /// - Throws: ``DriveError`` if there is no response, or the response reports a failure.
  package func call(
    isRepeatable: Bool = false, _ make: (DriveAPI, Int64) throws(DriveError) -> DriveRequest
  ) throws(DriveError) -> DriveResponse {
    var attempt = 1
    while true {
      do throws(DriveError) {
        return try withValidToken { (api) throws(DriveError) in try callAtServerTime(api, make) }
      } catch {
        let pause = error.pause ?? .seconds(1)
        guard isRepeatable, error.kind == .unavailable, attempt < Self.attempts, pause <= Self.longestPause else {
          throw error.namingPause
        }
        attempt += 1
        Pause.sleep(pause)
      }
    }
  }

  /// Sends a request. If the server refuses it and a different time can help, sends it once more: with the server's time if the clocks
  /// differ, or with an earlier time if the server may have mistaken the signature for another request's, perhaps from another process.
  private func callAtServerTime(
    _ api: DriveAPI, _ make: (DriveAPI, Int64) throws(DriveError) -> DriveRequest
  ) throws(DriveError) -> DriveResponse {
    func attempt(before: Int64 = 0) throws(DriveError) -> DriveResponse {
      let response = try send(try unsent(api, before: before, make))
      try response.check()
      return response
    }
    do throws(DriveError) { return try attempt() } catch {
      // The API has no separate error code for a wrong time.
      let isAboutTime = error.kind == .configuration || error.kind == .refused
      if isAboutTime, serverClock.withLock({ $0.adjust() }) { return try attempt() }
      guard error.isAboutSignature else { throw error }
      // The time is random, because other processes may do the same.
      return try attempt(before: .random(in: Self.corrections))
    }
  }

  /// Creates a request whose signature has not been sent yet. A signature depends only on the parameters and the time in seconds, so the
  /// time is moved forward if necessary.
  /// - Parameter before: how many seconds the request's time precedes the current time.
  private func unsent(
    _ api: DriveAPI, before: Int64, _ make: (DriveAPI, Int64) throws(DriveError) -> DriveRequest
  ) throws(DriveError) -> DriveRequest {
    var time = serverClock.withLock { clock.now.seconds + $0.offset } - before
    var request = try make(api, time)
    while let signature = request.signature, !sentSignatures.withLock({ $0.insert(signature, at: time) }) {
      time += 1
      request = try make(api, time)
    }
    return request
  }

  /// Sends a request and returns the response, even if it reports a failure.
  /// - Parameters:
  ///   - body: the request's content; the request must then have no form.
  ///   - isRepeatable: whether the request may be sent again if the server has closed a reused connection.
  package func send(
    _ request: DriveRequest, body: StreamedBody? = nil, isRepeatable: Bool = false
  ) throws(DriveError) -> DriveResponse {
    var headers = HeaderFields()
    for header in request.headers {
      do throws(UnsendableRequestError) { try headers.append(name: header.name, value: header.value) } catch {
        throw DriveError(.unreadable, "the server reported a value that cannot be sent in \(header.name)")
      }
    }
    if request.form != nil { headers.append(.contentType, "application/x-www-form-urlencoded") }
    var message = ClientRequest(
      method: request.method, url: request.url, headers: headers,
      body: request.form.map { Array(FormEncoding.encode($0).utf8) },
      rules: body == nil ? ResponseRules() : ResponseRules(idleTimeout: Self.idleTimeout), addressPolicy: addresses)
    if let body { message.body = .streamed(body) }
    message.isRepeatable = isRepeatable
    let response = try wait(for: message)
    let now = clock.now
    let date = response.headers.first("Date").flatMap { Timestamp(imfFixdate: $0) }
    if let date { serverClock.withLock { $0.ahead = date.seconds - now.seconds } }
    let retryAt = RetryAfter.moment(response.headers.first("Retry-After"), date: date, receivedAt: now)
    return DriveResponse(
      status: response.status.code, body: response.body, hiding: api.redaction, pause: retryAt.map { $0 - now })
  }

  /// Requests a file's content and passes it to the receiver.
  /// - Returns: nil if the response is complete; otherwise why it is not.
  func download(
    _ address: String, from start: Int, validator: String?, to receiver: BodyReceiver
  ) -> DriveError? {
    var headers = HeaderFields()
    if start > 0, let range = FieldValue("bytes=\(start)-") {
      headers.append("Range", range)
      if let validator = validator.flatMap({ FieldValue($0) }) { headers.append("If-Range", validator) }
    }
    // Compression is disabled, because ranges would then refer to compressed bytes.
    var message = ClientRequest(
      method: .get, url: address, headers: headers,
      rules: ResponseRules(bodyLimit: 64 << 10, isVerbatim: true, idleTimeout: Self.idleTimeout),
      addressPolicy: addresses)
    message.receiver = receiver
    do throws(DriveError) {
      _ = try wait(for: message)
      return nil
    } catch { return error }
  }

  private func wait(for message: ClientRequest) throws(DriveError) -> Response {
    let outcome = Locked<Result<Response, ClientError>?>(nil)
    let done = DispatchSemaphore(value: 0)
    client.send(message, on: queue) { result in
      outcome.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    switch outcome.withLock({ $0 }) {
    case .success(let response): return response
    case .failure(let error): throw DriveError(error)
    case nil: preconditionFailure("the completion was called")
    }
  }
}

/// The difference between the server's clock and the local clock, in seconds.
private struct ServerClock {
  /// How far the server's clock was ahead of the local clock at the server's last response.
  var ahead: Int64 = 0
  /// The offset added to the local time in requests.
  private(set) var offset: Int64 = 0

  /// The smallest difference, in seconds, that can be the reason for a refusal. Servers refuse times that are a few minutes off.
  private static let tolerance: Int64 = 60

  /// Corrects the time of later requests if the clock difference may be the reason for a refusal.
  /// - Returns: whether the correction has changed.
  mutating func adjust() -> Bool {
    guard abs(ahead - offset) > Self.tolerance else { return false }
    offset = ahead
    return true
  }
}

/// The signatures sent in the last few minutes.
private struct SentSignatures {
  /// The signatures, by the time of the request in seconds.
  private var signatures: [Int64: Set<String>] = [:]

  /// How long signatures are kept, in seconds. Servers refuse requests that are much older.
  private static let lifetime: Int64 = 900

  /// Inserts a signature.
  /// - Returns: false if the signature had already been inserted.
  mutating func insert(_ signature: String, at time: Int64) -> Bool {
    if signatures[time] == nil {
      for old in signatures.keys where old < time - Self.lifetime { signatures[old] = nil }
    }
    return signatures[time, default: []].insert(signature).inserted
  }
}

extension DriveError {
  /// The failure, with the time that the server asks to wait.
  fileprivate var namingPause: DriveError {
    guard let pause, pause > .zero else { return self }
    var named = DriveError(kind, code: code, "\(description); try again in \(pause.components.seconds) s")
    named.pause = pause
    return named
  }

  fileprivate init(_ error: ClientError) {
    let kind: Kind =
      switch error.kind {
      case .unreachable, .timedOut, .broken, .undecodable, .cancelled: .unavailable
      case .tls, .forbidden, .unsendable: .refused
      case .tooLarge: .changed
      case .local: .local
      }
    self.init(kind, "\(error)")
  }
}
