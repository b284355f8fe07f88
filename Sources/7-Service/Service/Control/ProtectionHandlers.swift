internal import Accounts
package import ControlProtocol
internal import Platform
internal import Settings

extension ProtectTokensRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    responder.openStream()
    guard let reload = context.delegate.reload else { return protect(context.accountManager, responder) }
    reload({ _ in }) { result in
      switch result {
      case .success: protect(context.accountManager, responder)
      case .failure(let failure): responder.end(.failure(failure))
      }
    }
  }

  private func protect(_ accountManager: AccountManager, _ responder: ControlResponder) {
    guard accountManager.configuration.protection == protection else {
      return responder.end(
        .failure(
          OperationError(
            .tryAgain(at: nil),
            "the accounts are in use with a configuration that does not say \"protect\": \"\(protection.rawValue)\"; try again "
              + "when the other homeline has exited")))
    }
    let end = Locked(EndEvent(exit: .done))
    accountManager.protectTokens { name, result in
      switch result {
      case .success(let isChanged):
        responder.send(
          ProtectedEvent(
            account: name.text, protection: protection, outcome: isChanged ? .changed : .unchanged))
      case .failure(let failure):
        responder.send(NoticeEvent("\(name): \(failure.message)"))
        end.withLock { $0.exit = $0.exit.worse(failure.exitCode) }
      }
    } completion: { result in
      switch result {
      case .success(let encrypted):
        for location in encrypted {
          responder.send(NoticeEvent("\(location) is still encrypted, so the key stays in the keyring"))
        }
      case .failure(let failure):
        responder.send(NoticeEvent(failure.message))
        end.withLock { $0.exit = $0.exit.worse(failure.exitCode) }
      }
      responder.end(end.withLock { $0 })
    }
  }
}
