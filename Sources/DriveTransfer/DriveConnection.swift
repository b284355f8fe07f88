package import CivilTime
internal import Dispatch
package import Drive
internal import HTTP
package import HTTPClient
internal import HomelineOAuth
internal import Platform

/// Sends requests to a drive and waits for the responses. Any thread may use it.
package final class DriveConnection: Sendable {
  package let api: DriveAPI
  package let hosts: DriveHosts
  private let client: Client
  private let clock: WallClock
  private let addresses: AddressPolicy
  private let queue = DispatchQueue(label: "homeline.drive", attributes: .concurrent)

  /// How long a transfer may make no progress.
  private static let idleTimeout = Duration.seconds(60)
  /// How often a call is repeated if it fails temporarily before it has changed anything.
  private static let attempts = 3

  package init(_ api: DriveAPI, hosts: DriveHosts, by client: Client, clock: WallClock = .system) {
    self.api = api
    self.hosts = hosts
    self.client = client
    self.clock = clock
    // Responses contain addresses. These must not lead into the user's own network, unless the server is there.
    addresses = AddressPolicy(trusting: hosts.api.host)
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
        let response = try send(try make(api, clock.now.seconds))
        try response.check()
        return response
      } catch {
        guard isRepeatable, error.kind == .unavailable, attempt < Self.attempts else { throw error }
        attempt += 1
        Pause.sleep(.seconds(1))
      }
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
