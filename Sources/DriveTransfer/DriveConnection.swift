package import CivilTime
internal import Dispatch
package import Drive
internal import HTTP
package import HTTPClient
package import HomelineOAuth
internal import Platform

/// Sends requests to a drive and waits for the responses. Any thread may use it.
package final class DriveConnection: Sendable {
  /// Obtains another token for a user whose token the server has refused.
  package typealias Renewal = @Sendable (_ refused: Secret) throws(DriveFailure) -> Secret

  package let hosts: DriveHosts
  private let currentAPI: Locked<DriveAPI>
  private let renewal: Renewal?
  /// Held during a renewal, so that several transfers renew a token once.
  private let renewing = Locked(false)
  private let client: Client
  private let clock: WallClock
  private let serverClock = Locked(ServerClock())
  private let addresses: AddressPolicy
  private let queue = DispatchQueue(label: "homeline.drive", attributes: .concurrent)

  /// How long a transfer may make no progress.
  private static let idleTimeout = Duration.seconds(60)
  /// How often a call is repeated if it fails temporarily before it has changed anything.
  private static let attempts = 3

  /// - Parameter renewal: called when the server refuses a user's token; nil for a key that needs no token.
  package init(
    _ api: DriveAPI, hosts: DriveHosts, by client: Client, clock: WallClock = .system, renewal: Renewal? = nil
  ) {
    currentAPI = Locked(api)
    self.renewal = renewal
    self.hosts = hosts
    self.client = client
    self.clock = clock
    // Responses contain addresses. These must not lead into the user's own network, unless the server is there.
    addresses = AddressPolicy(trusting: hosts.api.host)
  }

  /// Makes API requests with the current token.
  package var api: DriveAPI { currentAPI.withLock { $0 } }

  /// Uses the API with a valid token: if the server refuses the token, it is renewed, and `body` is called once more.
  package func withValidToken<Value>(
    _ body: (DriveAPI) throws(DriveFailure) -> Value
  ) throws(DriveFailure) -> Value {
    let api = self.api
    do throws(DriveFailure) { return try body(api) } catch {
      guard error.kind == .tokenExpired, let renewed = try self.renewed(api) else { throw error }
      return try body(renewed)
    }
  }

  /// Returns the API with another token than the refused one; nil if there is none.
  private func renewed(_ refused: DriveAPI) throws(DriveFailure) -> DriveAPI? {
    guard let renewal, case .user(let token, _) = refused.key else { return nil }
    return try renewing.withLock { (_) throws(DriveFailure) in
      // Another transfer may have renewed it.
      let current = api
      if current.key != refused.key { return current }
      let renewed = current.replacing(token: try renewal(token))
      guard renewed.key != refused.key else { return nil }
      currentAPI.withLock { $0 = renewed }
      return renewed
    }
  }

  /// Makes an API request, sends it and checks the response.
  /// - Parameter make: makes the request; it is given the API and the current time.
  /// - Throws: ``DriveFailure`` if there is no response, or the response reports a failure.
  package func call(
    isRepeatable: Bool = false, _ make: (DriveAPI, Int64) throws(DriveFailure) -> DriveRequest
  ) throws(DriveFailure) -> DriveResponse {
    var attempt = 1
    while true {
      do throws(DriveFailure) {
        return try withValidToken { (api) throws(DriveFailure) in try callAtServerTime(api, make) }
      } catch {
        guard isRepeatable, error.kind == .unavailable, attempt < Self.attempts else { throw error }
        attempt += 1
        Pause.sleep(.seconds(1))
      }
    }
  }

  /// Sends a request. If the server refuses it and its clock differs, sends it once more with the server's time.
  private func callAtServerTime(
    _ api: DriveAPI, _ make: (DriveAPI, Int64) throws(DriveFailure) -> DriveRequest
  ) throws(DriveFailure) -> DriveResponse {
    func attempt() throws(DriveFailure) -> DriveResponse {
      let response = try send(try make(api, serverClock.withLock { clock.now.seconds + $0.offset }))
      try response.check()
      return response
    }
    do throws(DriveFailure) { return try attempt() } catch {
      // No error code means only that the time is wrong.
      let isAboutTime = error.kind == .configuration || error.kind == .refused
      guard isAboutTime, serverClock.withLock({ $0.adjust() }) else { throw error }
      return try attempt()
    }
  }

  /// Sends a request and returns the response, whatever it says.
  /// - Parameters:
  ///   - body: the request's content; the request must not have a form then.
  ///   - isRepeatable: whether the request may be sent again when a kept connection turns out to be closed.
  package func send(
    _ request: DriveRequest, body: StreamedBody? = nil, isRepeatable: Bool = false
  ) throws(DriveFailure) -> DriveResponse {
    var headers = HeaderFields()
    for header in request.headers {
      guard let name = FieldName(header.name), let value = FieldValue(header.value) else {
        throw DriveFailure(.unreadable, "the server reported a value that cannot be sent in \(header.name)")
      }
      headers.append(name, value)
    }
    if request.form != nil { headers.append(.contentType, "application/x-www-form-urlencoded") }
    var message = ClientRequest(
      method: request.method, url: request.url, headers: headers,
      body: request.form.map { Array(FormEncoding.encode($0).utf8) },
      rules: body == nil ? ResponseRules() : ResponseRules(idleTimeout: Self.idleTimeout), addressPolicy: addresses)
    message.streamedBody = body
    message.isRepeatable = isRepeatable
    let response = try wait(for: message)
    if let time = response.headers.first("Date").flatMap({ Timestamp(imfFixdate: $0) }) {
      serverClock.withLock { $0.ahead = time.seconds - clock.now.seconds }
    }
    return DriveResponse(status: response.status.code, body: response.body, hiding: api.redaction)
  }

  /// Requests content, which is passed to the receiver.
  /// - Returns: nil if the response is complete; otherwise why it broke off.
  func download(
    _ address: String, from start: Int, validator: String?, to receiver: BodyReceiver
  ) -> DriveFailure? {
    var headers = HeaderFields()
    if start > 0, let range = FieldValue("bytes=\(start)-") {
      headers.append("Range", range)
      if let validator = validator.flatMap({ FieldValue($0) }) { headers.append("If-Range", validator) }
    }
    // Compression would make ranges refer to other bytes.
    var message = ClientRequest(
      method: .get, url: address, headers: headers,
      rules: ResponseRules(bodyLimit: 64 << 10, isVerbatim: true, idleTimeout: Self.idleTimeout),
      addressPolicy: addresses)
    message.receiver = receiver
    do throws(DriveFailure) {
      _ = try wait(for: message)
      return nil
    } catch { return error }
  }

  private func wait(for message: ClientRequest) throws(DriveFailure) -> Response {
    let outcome = Locked<Result<Response, ClientError>?>(nil)
    let done = DispatchSemaphore(value: 0)
    client.send(message, on: queue) { result in
      outcome.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    switch outcome.withLock({ $0 }) {
    case .success(let response): return response
    case .failure(let error): throw DriveFailure(error)
    case nil: preconditionFailure("the completion was called")
    }
  }
}

/// The difference between the server's clock and the local one, in seconds.
private struct ServerClock {
  /// How far the server's clock was ahead at its last response.
  var ahead: Int64 = 0
  /// The part of it with which requests are corrected.
  private(set) var offset: Int64 = 0

  /// Servers reject times that are off by some minutes.
  private static let tolerance: Int64 = 60

  /// Corrects later requests if the difference explains a refusal.
  /// - Returns: whether they are corrected from now on.
  mutating func adjust() -> Bool {
    guard abs(ahead - offset) > Self.tolerance else { return false }
    offset = ahead
    return true
  }
}

extension DriveFailure {
  fileprivate init(_ error: ClientError) {
    let kind: Kind =
      switch error.kind {
      case .unreachable, .timedOut, .broken, .cancelled: .unavailable
      case .tls, .forbidden, .unsendable: .refused
      case .tooLarge: .changed
      case .local: .local
      }
    self.init(kind, "\(error)")
  }
}
