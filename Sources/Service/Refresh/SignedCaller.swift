package import CivilTime
package import Dispatch
package import HomelineOAuth
package import HTTP
internal import Platform
package import Transport

/// Sends one account's signed requests, each with a stamp of its own, and sets its clock by the server's.
///
/// A request that is refused for its timestamp is signed and sent once more by the server's clock. Belongs to the account's queue.
package final class SignedCaller {
  /// Makes the request for a stamp; called again for a second try.
  package typealias Sign = (Stamp) throws -> ClientRequest

  private let client: Client
  private let queue: DispatchQueue
  private let clock: WallClock
  private let warn: @Sendable (String) -> Void
  private var offset = ClockOffset()
  private var warned = false

  /// - Parameter warn: told once, when the clock is more than a minute off.
  package init(client: Client, queue: DispatchQueue, clock: WallClock, warn: @escaping @Sendable (String) -> Void) {
    self.client = client
    self.queue = queue
    self.clock = clock
    self.warn = warn
  }

  /// Signs and sends; the completion gets whatever the provider answered, refusals among them.
  package func call(
    _ sign: @escaping Sign, completion: @escaping (Result<Response, Failure>) -> Void
  ) {
    call(sign, isSecondTry: false, completion)
  }

  private func call(
    _ sign: @escaping Sign, isSecondTry: Bool, _ completion: @escaping (Result<Response, Failure>) -> Void
  ) {
    let request: ClientRequest
    do {
      request = try sign(try Stamp.random(timestamp: offset.correctedTimestamp(local: clock.now.seconds)))
    } catch {
      // Also a failure is told later, never from within: the caller may not be ready for it.
      return queue.later { completion(.failure(Failure(.configuration, "\(error)"))) }
    }
    let received = Confined { (result: Result<Response, ClientError>) in
      switch result {
      case .failure(let error): completion(.failure(Failure(.unavailable, "\(error)")))
      case .success(let response):
        if !isSecondTry, self.learnClock(from: response) {
          self.call(sign, isSecondTry: true, completion)
        } else {
          completion(.success(response))
        }
      }
    }
    client.send(request, on: queue) { received.value($0) }
  }

  /// - Returns: whether the answer is a refusal for a wrong time, and the right one is known now.
  private func learnClock(from response: Response) -> Bool {
    // A page of posts is no refusal, and reading it here too would cost as much as decoding it.
    guard response.status.code >= 400 || response.body.count < 2048 else { return false }
    let local = clock.now.seconds
    let date = response.headers.first(.date).flatMap { Timestamp(imfFixdate: $0)?.seconds }
    let refusal = ProviderRefusal(Answer(response), expecting: "an answer")
    let signed = offset.correctedTimestamp(local: local)
    let isFarOff = date.map { ($0 - signed).magnitude > ClockOffset.tolerance } ?? false
    guard refusal?.kind == .clock || (response.status.code == 401 && isFarOff),
      let server = date ?? refusal?.serverTime
    else { return false }
    offset.learn(server: server, local: local)
    if let warning = offset.warning, !warned {
      warned = true
      warn("\(warning) Requests are signed by the provider's clock; set this machine's (timedatectl set-ntp true).")
    }
    return true
  }
}

extension Answer {
  /// What of an HTTP answer the OAuth side looks at.
  package init(_ response: Response) {
    self.init(
      status: response.status.code, challenges: response.headers.all("WWW-Authenticate"), body: response.body)
  }
}
