internal import Accounts
package import ControlProtocol
internal import Cryptography
internal import Dispatch
internal import Folders
internal import HTTP
internal import HomelineOAuth
internal import Login
internal import Platform
internal import Settings

extension LoginRequest: HandledRequest {
  /// Starts a login. If another login to the same account is waiting for its user, that login ends with exit code 75, because a user who
  /// starts again has probably closed the first window.
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let account = try context.account(account)
    let id: String
    do throws(CryptographyError) { id = try Nonce.random().text } catch {
      throw ControlError(.internalServerError, exit: .software, "\(error)")
    }
    let login = ControlLogin(responder)
    context.activities.withLock { $0.begin(.loggingIn, of: account.name) }
    // The login is registered before the stream begins, so that the end of the stream finds it.
    context.queue.async { context.logins[id] = login }
    responder.openStream { context.logins[id]?.clientWentAway() }
    responder.send(BegunEvent(login: id, account: account.name.text))
    let files = { @Sendable (name: String) in context.accountManager.files(of: name) }
    let options = LoginOptions(
      timeout: .seconds(timeoutSeconds), isOutOfBand: usesPIN, usesDevice: usesDevice, usesToken: usesToken,
      switchesUser: switchesUser, isForNewAccount: isForNewAccount, pressesAuthorise: pressesAuthorise)
    let finish: @Sendable (Result<Void, OperationError>) -> Void = { result in
      context.queue.async {
        // A client that disconnects at this moment may report a second failure.
        guard context.logins.remove(id) else { return }
        context.activities.withLock { $0.end(.loggingIn, of: account.name) }
        responder.end(result, account: account.name.text)
      }
    }
    do throws(OperationError) {
      let session = try context.accountManager.login(
        account, options, tell: { responder.send($0, of: account.name.text, files: files) }, completion: finish)
      context.queue.async { context.logins[id]?.begin(session) }
    } catch { finish(.failure(error)) }
  }
}

extension LoginInputRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    context.queue.async {
      guard let login = context.logins[login] else {
        return responder.refuse(
          ControlError(.notFound, exit: .temporary, "there is no such login in progress; it may have ended"))
      }
      login.give(input)
      responder.acknowledge()
    }
  }
}
