internal import CivilTime
internal import Dispatch
internal import HTTP
internal import Platform
internal import Transport

/// Stands between the listener and the provider: keeps what must outlive the run, and carries out how an answer comes.
final class SandboxDesk<Service: SandboxService>: Sendable {
  private let provider: Locked<Service>
  private let pictures = Locked(SandboxPictures())
  private let faults: Locked<StandingFaults>
  private let folder: SandboxFolder?
  private let clock: WallClock
  private let queue: DispatchQueue
  private let port: UInt16
  private let onRequest: (@Sendable (SandboxRecord) -> Void)?

  init(
    _ provider: Service, folder: SandboxFolder?, on queue: DispatchQueue, port: UInt16, _ options: SandboxOptions
  ) {
    self.provider = Locked(provider)
    self.folder = folder
    clock = options.clock
    faults = Locked(options.faults)
    self.queue = queue
    self.port = port
    onRequest = options.onRequest
  }

  func with<Value>(_ body: (inout Service) -> Value) -> Value { provider.withLock { body(&$0) } }
  func withPictures<Value>(_ body: (inout SandboxPictures) -> Value) -> Value { pictures.withLock { body(&$0) } }

  /// `Date` by the provider's clock, which may be wrong on purpose.
  var date: FieldValue? {
    FieldValue(provider.withLock { $0.clock(at: clock.now) }.imfFixdate)
  }

  func handle(_ request: Request, _ exchange: Exchange) {
    // A page that had its own name resolved to this machine is no friend (DNS rebinding).
    guard let authority = request.authority, LoopbackHost.accepts(authority, port: port) else {
      exchange.answer(Response(status: .misdirectedRequest, text: "421 Misdirected Request: not a name of this server"))
      return
    }
    if let picture = pictures.withLock({ $0.answer(to: request) }) { return give(picture, exchange) }
    var answer: SandboxAnswer
    if let fault = faults.withLock({ $0.next(for: request) }) {
      answer = SandboxAnswer(fault) { self.answer(to: request).response }
    } else {
      answer = self.answer(to: request)
    }
    PictureAddress.localize(&answer.response, port: port)
    onRequest?(
      SandboxRecord(
        method: request.method, path: request.target.description, query: request.target.query,
        status: answer.isDropped ? nil : answer.response.status))
    give(answer, exchange)
  }

  private func give(_ answer: SandboxAnswer, _ exchange: Exchange) {
    if answer.isDropped {
      // An interim answer (RFC 9110 §15.2) behind which the connection ends: the client has heard from us, so it cannot
      // take the connection for one that had gone stale and repeat the request by itself.
      exchange.answer(Response(status: StatusCode(102)), closing: true)
    } else if let count = answer.stallsAfter {
      let stream = exchange.stream(answer.response)
      stream.write(Array(answer.response.body.prefix(count)))
      // Let go of unended, it breaks the connection off.
      later(answer.delay) { withExtendedLifetime(stream) {} }
    } else if answer.delay > .zero {
      later(answer.delay) { exchange.answer(answer.response) }
    } else {
      exchange.answer(answer.response)
    }
  }

  private func later(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1))), execute: work)
  }

  private func answer(to request: Request) -> SandboxAnswer {
    let (answer, revoked) = provider.withLock { provider in
      let before = provider.revokedTokens.count
      let answer = provider.answer(to: request, at: clock.now)
      let after = provider.revokedTokens
      return (answer, after.count > before ? after : nil)
    }
    guard let revoked, let folder else { return answer }
    do throws(SystemError) {
      try folder.keep(revoked: revoked)
      return answer
    } catch {
      // Said and not kept would be a lie after the next start.
      return SandboxAnswer(response: Response(status: .internalServerError, text: error.description))
    }
  }
}
