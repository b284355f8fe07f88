package import Accounts
internal import Bytes
internal import Dispatch
internal import HTTPClient
package import Login
package import Settings
package import Storage

/// Users' requests about the tokens of their accounts.
extension AccountManager {
  /// Authorises an account. The completion is called once, on the account's queue.
  /// - Returns: the login session, which accepts pasted lines.
  package func login(
    _ account: AccountSettings, _ options: LoginOptions, tell: @escaping @Sendable (LoginProgress) -> Void,
    completion: @escaping @Sendable (Result<Void, OperationError>) -> Void
  ) throws(OperationError) -> LoginSession {
    var tell = tell
    if options.pressesAuthorise {
      guard account.credentials == .builtIn else {
        throw OperationError(
          .configuration,
          "homeline can press Authorise only in the sandbox, but the provider of \(account.name) is \(account.provider)"
        )
      }
      tell = pressingAuthorise(tell)
    }
    let account = try self.account(account)
    let session = LoginSession(
      of: account, callbackServer: callbackServer, users: users, options: options, tell: tell,
      firstRefresh: { [self, tell] in refreshAfterLogin($0, { tell(.refreshing($0)) }, each: $1, completion: $2) },
      completion: completion)
    session.start()
    return session
  }

  /// Revokes the token at the provider if possible, and deletes the local copy.
  package func logout(
    _ account: AccountSettings, completion: @escaping @Sendable (Result<LogoutReport, OperationError>) -> Void
  )
    throws(OperationError)
  {
    let account = try self.account(account)
    account.queue.async { LogoutJob.enqueue(of: account, completion: completion) }
  }

  /// Issues a valid access token for an OAuth 2.0 account. The completion is called once, on the account's queue.
  /// - Parameter renews: whether to renew the token even if it is not due.
  package func token(
    of account: AccountSettings, renewing renews: Bool = false,
    completion: @escaping @Sendable (Result<BearerToken, OperationError>) -> Void
  ) throws(OperationError) {
    let account = try self.account(account)
    account.queue.async { IssueTokenJob.enqueue(of: account, renewing: renews, completion: completion) }
  }

  /// Presses the button on the authorisation page on the user's behalf, and reports any failure to do so.
  private func pressingAuthorise(_ tell: @escaping @Sendable (LoginProgress) -> Void)
    -> @Sendable (LoginProgress) -> Void
  {
    let visitor = SandboxVisitor(client: client)
    return { news in
      tell(news)
      guard case .address(let address, _) = news else { return }
      visitor.authorise(at: address.text) { result in
        if case .failure(let failure) = result {
          tell(.notice("could not press Authorise: \(failure.message)"))
        }
      }
    }
  }
}
