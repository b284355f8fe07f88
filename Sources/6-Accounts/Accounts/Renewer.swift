internal import Bytes
package import Dispatch
internal import HTTPClient
internal import HomelineOAuth
package import Platform
package import Providers
internal import Scheduling
package import Storage
package import Time
internal import Timeline

/// Provides an account's current token for its requests, and renews it before it expires.
///
/// Call within a job on the account's queue, so that only one renewal runs at a time. Only the state owner has such a
/// queue, so no other process renews the token at the same time. Belongs to the account's queue.
package final class Renewer {
  typealias Completion = (Result<StoredToken, TokenUnavailableError>) -> Void

  private let server: AuthorizationServer
  private let provider: any Provider
  private let tokens: any TokenStorage
  private let providerClient: ProviderClient
  private let starts: RequestStarts
  private let queue: DispatchQueue
  private let shutdown: Shutdown
  private let clock: WallClock
  private let log: Log
  private var failures = 0
  private var notBefore: Timestamp?
  private var renewedAt: Timestamp?
  /// The refresh token that the server has declared invalid, and the server's message, in case they cannot be written to disk.
  private var ended: (refreshToken: Secret, message: String)?
  /// Whether an earlier process requested a renewal and ended without a response. The server may have used up the refresh token, so the
  /// token is renewed now even if it is not due.
  var expectsRepetition = false
  /// A token that the provider has issued but that could not be written to disk yet.
  package private(set) var unkept: StoredToken?

  /// - Parameters:
  ///   - queue: the account's queue.
  ///   - former: the renewer that was used with the earlier settings. Any token that it could not write to disk is kept.
  package init(
    _ server: AuthorizationServer, of provider: any Provider, tokens: any TokenStorage, providerClient: ProviderClient,
    starts: RequestStarts, queue: DispatchQueue, shutdown: Shutdown, clock: WallClock, log: Log,
    after former: Renewer? = nil
  ) {
    self.server = server
    self.provider = provider
    self.tokens = tokens
    self.providerClient = providerClient
    self.starts = starts
    self.queue = queue
    self.shutdown = shutdown
    self.clock = clock
    self.log = log
    unkept = former?.unkept
    expectsRepetition = former?.expectsRepetition ?? false
  }

  /// Resets the state after the account has received a different token or lost its token. Earlier results no longer apply.
  package func begin() {
    unkept = nil
    failures = 0
    notBefore = nil
    renewedAt = nil
    ended = nil
    expectsRepetition = false
  }

  /// Tries again to write an unsaved token to disk before the account is closed.
  package func close() {
    guard let unkept else { return }
    do throws(StorageError) {
      try tokens.commitRenewal(unkept)
      self.unkept = nil
    } catch { log(.error, "a renewed token could not be stored and is lost: \(error)") }
  }

  /// The minimum interval between scheduled renewals if a token expires immediately, or is reported to.
  private static let shortestPause = Duration.seconds(30)

  /// Servers report their time in whole seconds (RFC 9110 §6.6.1), so their actual time may be up to this much later.
  private static let granularity = Duration.seconds(1)

  /// The earliest time of the next scheduled renewal, after a renewal or a failed attempt; `nil` if there was neither.
  var pausedUntil: Timestamp? { [notBefore, renewedAt.map { $0 + Self.shortestPause }].compactMap(\.self).max() }

  /// Provides a valid token, renewing it first if due.
  /// - Parameter isAwaited: whether a user is waiting. If so, pauses after failed renewals do not apply.
  func current(_ token: StoredToken, isAwaited: Bool, completion: @escaping Completion) {
    if let unkept { return keep(unkept, completion) }
    guard let bearer = token.grant.bearer else { return completion(.success(token)) }
    let now = providerClient.serverNow(supposing: bearer.clockOffset)
    let hasExpired = bearer.hasExpired(at: now + Self.granularity)
    guard bearer.refreshToken != nil else {
      return completion(hasExpired ? .failure(.problem(expired(bearer))) : .success(token))
    }
    guard hasExpired || expectsRepetition || bearer.renewAt.map({ $0 <= now }) ?? false else {
      return completion(.success(token))
    }
    // The refusal is known, and the token is used as long as it is valid.
    if !hasExpired, let refreshToken = bearer.refreshToken, messageOfEnd(token, refreshToken) != nil {
      return completion(.success(token))
    }
    if !isAwaited, let notBefore, clock.now < notBefore {
      return completion(hasExpired ? .failure(.problem(waiting(until: notBefore))) : .success(token))
    }
    renew(token) { result in
      // As long as the renewal has to wait, a token that is still valid is used.
      if case .failure(let refusal) = result, !hasExpired, self.unkept == nil {
        let end = bearer.expiresAt.map { " at \($0.rfc3339)" } ?? ""
        self.log(
          .warning,
          refusal.isFinal
            ? "\(refusal.message) The login ends\(end), when the current token expires."
            : "\(refusal.message) The token is still valid; it expires\(end).")
        return completion(.success(token))
      }
      completion(result)
    }
  }

  /// Renews the token even if it is not due, because the provider no longer accepts it.
  func renew(_ token: StoredToken, completion: @escaping Completion) {
    guard let bearer = token.grant.bearer, let refreshToken = bearer.refreshToken else {
      return completion(.failure(.problem(Problem(code: .notAuthorised, message: "The token cannot be renewed."))))
    }
    if let message = messageOfEnd(token, refreshToken) { return completion(.failure(.problem(Self.ended(message)))) }
    server.checkKeys(on: queue) { failure in
      // The shutdown may have begun while the secret was being looked up.
      guard !self.shutdown.isUnderWay else {
        return completion(
          .failure(.failure(OperationError(.tryAgain(at: nil), "homeline is shutting down; try again"))))
      }
      if let failure {
        self.pause()
        return completion(
          .failure(.problem(Problem(code: .secretUnavailable, message: failure.message))))
      }
      self.begin(token, bearer, refreshToken, completion)
    }
  }

  private func begin(
    _ token: StoredToken, _ bearer: BearerToken, _ refreshToken: Secret, _ completion: @escaping Completion
  ) {
    expectsRepetition = false
    starts.beginRenewal()
    server.endpoints { result in
      do throws(OperationError) {
        let endpoints = try result.get()
        let client = try self.server.client(id: bearer.clientID, at: endpoints)
        let request = AccessTokenRequest(
          endpoint: endpoints.token, client: client, grant: .refreshToken(refreshToken)
        ).request
        let completed = try self.server.completed(request, of: client)
        do throws(StorageError) {
          if let received = try self.tokens.received(after: token, at: self.clock.now) {
            return completion(.success(received))
          }
          try self.tokens.reserveRenewal(of: token)
        } catch {
          if error.kind == .outdated, let stored = try? self.tokens.read() { return completion(.success(stored)) }
          throw OperationError(error)
        }
        self.ask(completed, client, token, bearer, isSecondTry: false, completion)
      } catch { self.fail(error, completion) }
    }
  }

  // MARK: Requests

  private func ask(
    _ request: OAuth2FormRequest, _ client: OAuth2Client, _ token: StoredToken, _ former: BearerToken,
    isSecondTry: Bool,
    _ completion: @escaping Completion
  ) {
    providerClient.send(try ClientRequest(request), with: [former.refreshToken].compactMap(\.self)) { result in
      switch result {
      case .failure where !isSecondTry:
        // The server may have responded, but the response was lost. Some servers accept the old token for a short time, so it is
        // immediately sent again. On other servers, the old token is already invalid, so this does no harm.
        self.ask(request, client, token, former, isSecondTry: true, completion)
      case .failure(let failure): self.fail(failure, completion)
      case .success(let response): self.take(response, client, token, former, completion)
      }
    }
  }

  private func take(
    _ response: ProviderResponse, _ client: OAuth2Client, _ token: StoredToken, _ former: BearerToken,
    _ completion: @escaping Completion
  ) {
    do throws(OAuth2ResponseError) {
      let tokenResponse = try AccessTokenResponse(response.oauth)
      var generator = RandomSource()
      keep(
        token.renewed(
          BearerToken(tokenResponse, in: response, clientID: former.clientID, renewing: former, using: &generator)),
        completion)
    } catch {
      tokens.abandonRenewal()
      if let lost = server.lostRegistration(client, after: error, in: response) {
        // The token is kept: the server may know the client again, for example after its database was restored.
        pause()
        return completion(.failure(.problem(Problem(code: .notAuthorised, message: lost + "."))))
      }
      let failure = provider.classifyToken(error, in: response)
      switch failure {
      case .needsLogin(let message): die(message, token, former, completion)
      case .configuration(let message):
        pause()
        completion(
          .failure(
            .problem(Problem(code: .configuration, message: "The token was not renewed: \(Self.sentence(message))"))))
      default:
        if case .refused(let message, _) = failure {
          let isRepeated = token.refusal != nil
          note(RenewalRefusal(isRepeated ? .repeated : .unexplained, message, at: clock.now), of: token)
        }
        // The problem has the provider's time, not the program's own pause: other accounts on the server need not wait for this.
        pause(until: failure.problem.retryAt)
        completion(.failure(.problem(failure.problem)))
      }
    }
  }

  /// Writes the new token to disk before it is used.
  private func keep(_ token: StoredToken, _ completion: Completion) {
    do throws(StorageError) {
      try tokens.commitRenewal(token)
      unkept = nil
      failures = 0
      notBefore = nil
      renewedAt = clock.now
      starts.endRenewal()
      log(
        .info, "the token was renewed\(token.grant.bearer?.expiresAt.map { "; it is valid until \($0.rfc3339)" } ?? "")"
      )
      completion(.success(token))
    } catch {
      // There is no other copy of the token, so the program tries to write it again before it sends any other request.
      unkept = token
      pause()
      completion(.failure(.failure(OperationError(error))))
    }
  }

  // MARK: Failures

  /// Handles the provider's final refusal. If a different token is now stored, because the files were restored from a copy, that token is
  /// used.
  ///
  /// The refusal is stored, so that no process sends that refresh token again: some servers treat a repeated refresh token as an attack.
  private func die(_ reason: String, _ token: StoredToken, _ former: BearerToken, _ completion: Completion) {
    failures = 0
    notBefore = nil
    let limit = provider.traits.loginLimit?.explanation(
      ofLoginAt: token.authorisedAt, lastIssue: former.issuedAt, end: clock.now)
    let message = limit.map { "\(reason) \($0)" } ?? reason
    if let other = try? tokens.read(), let bearer = other.grant.bearer,
      bearer.refreshToken != former.refreshToken
    {
      return completion(.success(other))
    }
    ended = former.refreshToken.map { ($0, message) }
    note(RenewalRefusal(.final, message, at: clock.now), of: token)
    completion(.failure(.problem(Self.ended(message))))
  }

  private func note(_ refusal: RenewalRefusal, of token: StoredToken) {
    do throws(StorageError) { try tokens.note(refusal, of: token) } catch {
      // A different token or no token is stored now, so the refusal no longer applies.
      if error.kind == .outdated { return }
      log(.warning, "could not record that the server refused to renew the token: \(error)")
    }
  }

  /// Returns the server's message that this refresh token is invalid; `nil` if there was none.
  private func messageOfEnd(_ token: StoredToken, _ refreshToken: Secret) -> String? {
    if let refusal = token.refusal, refusal.kind == .final { return refusal.message }
    return ended.flatMap { $0.refreshToken == refreshToken ? $0.message : nil }
  }

  /// Returns a message with a full stop.
  private static func sentence(_ message: String) -> String { message.hasSuffix(".") ? message : message + "." }

  private static func ended(_ message: String) -> Problem {
    Problem(code: .notAuthorised, message: "The authorisation has ended: \(sentence(message))")
  }

  private func fail(_ failure: OperationError, _ completion: Completion) {
    tokens.abandonRenewal()
    // After a disk failure, the renewal is retried soon, because this takes no request to the server.
    if failure.kind == .inputOutput { notBefore = clock.now + Backoff.storageRetry } else { pause() }
    switch failure.kind {
    case .unavailable, .tryAgain:
      completion(
        .failure(
          .problem(Problem(code: .network, message: "The token was not renewed: \(failure.message)."))))
    default: completion(.failure(.failure(failure)))
    }
  }

  private func pause(until: Timestamp? = nil) {
    failures += 1
    var generator = RandomSource()
    // A server that gives a time is asked at that time. The pauses grow only if it keeps giving times.
    let pause = clock.now + Backoff.pause(after: until == nil ? failures : failures - 1, using: &generator)
    notBefore = max(pause, until ?? pause)
  }

  private func waiting(until: Timestamp) -> Problem {
    Problem(
      code: .provider,
      message: "The token has expired and could not be renewed; the next attempt is at \(until.rfc3339).")
  }

  private func expired(_ bearer: BearerToken) -> Problem {
    Problem(
      code: .notAuthorised,
      message: "The token has expired\(bearer.expiresAt.map { " at \($0.rfc3339)" } ?? "") and cannot be renewed.")
  }
}
