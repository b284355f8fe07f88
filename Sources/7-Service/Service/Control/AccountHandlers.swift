internal import Accounts
package import ControlProtocol
internal import Dispatch
internal import Folders
internal import HTTP
internal import Platform
internal import Settings
internal import Storage
internal import Timeline

extension StatusRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let named = try account.map { name throws(ControlError) in try context.timeline(name) }
    let accounts = named.map { [$0.account] } ?? context.accountManager.configuration.accounts
    let activities = context.activities.withLock { $0 }
    let uploads = context.accountManager.uploads
    // If both are running, a request from another process is shown instead of the owner's own work.
    let standing = zip(accounts, context.delegate.standing(accounts)).map { account, standing in
      var standing = standing
      if let upload = uploads[account.name] {
        standing.activity = .uploading
        standing.upload = ControlStatus.Upload(post: upload.post, done: upload.done, total: upload.total)
      }
      if let activity = activities.activity(of: account.name) { standing.activity = activity }
      if let timeline = named?.timeline { standing.timelines.removeAll { $0.name != timeline.description } }
      return standing
    }
    let status = ControlStatus(owner: context.delegate.owner(), accounts: standing)
    responder.send(document: status.json)
  }
}

extension RefreshRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let chosen = try context.choices(accounts)
    responder.openStream()
    let all = DispatchGroup()
    let end = Locked(EndEvent(exit: .done))
    for (account, timelines) in chosen {
      all.enter()
      context.activities.withLock { $0.begin(.refreshing, of: account.name) }
      context.accountManager.refresh([account], timelines, on: context.queue) { progress in
        responder.send(ProgressEvent(progress, account: account.name.text))
      } completion: { reports in
        context.activities.withLock { $0.end(.refreshing, of: account.name) }
        // The schedule gathers new posts for the other formats, but a waiting user wants to see them in every file.
        context.accountManager.publishBehind([account], on: context.queue) { failures in
          for (name, failure) in failures { responder.send(NoticeEvent("\(name): \(failure.message)")) }
          for report in reports {
            responder.send(RefreshedEvent(report, files: context.accountManager.files(of: account)))
            end.withLock { $0.add(report) }
          }
          if let (_, failure) = failures.first { end.withLock { $0.exit = $0.exit.worse(failure.exitCode) } }
          all.leave()
        }
      }
    }
    all.notify(queue: context.queue) {
      context.accountManager.publishViewsBehind(on: context.queue) { responder.end(end.withLock { $0 }) }
    }
  }
}

extension PublishRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let accountManager = context.accountManager
    let chosen = try context.choices(accounts).map(\.account)
    for account in chosen {
      do throws(OperationError) { _ = try accountManager.account(account) } catch {
        throw ControlError(.serviceUnavailable, exit: error.exitCode, "\(account.name): \(error.message)")
      }
    }
    accountManager.publishBehind(chosen, on: context.queue) { failures in
      accountManager.publishViewsBehind(on: context.queue) {
        guard let (name, failure) = failures.first else { return responder.acknowledge() }
        responder.refuse(
          ControlError(.serviceUnavailable, exit: failure.exitCode, "\(name): \(failure.message)"))
      }
    }
  }
}

extension LogoutRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let account = try context.account(account)
    let name = account.name.text
    responder.openStream()
    context.activities.withLock { $0.begin(.loggingOut, of: account.name) }
    do throws(OperationError) {
      try context.accountManager.logout(account) { result in
        context.activities.withLock { $0.end(.loggingOut, of: account.name) }
        if case .success(let report) = result { responder.send(LoggedOutEvent(report, account: name)) }
        responder.end(result.map { _ in }, account: name)
      }
    } catch {
      context.activities.withLock { $0.end(.loggingOut, of: account.name) }
      responder.end(.failure(error), account: name)
    }
  }
}

extension IssueTokenRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let account = try context.account(account)
    if let reason = account.whyNoBearerToken { throw ControlError(.badRequest, reason) }
    let name = account.name.text
    responder.openStream()
    responder.begin(about: name) { () throws(OperationError) in
      try context.accountManager.token(of: account, renewing: renews) { result in
        if case .success(let token) = result {
          responder.send(TokenEvent(account: name, accessToken: token.accessToken, expiresAt: token.expiresAt))
        }
        responder.end(result.map { _ in }, account: name)
      }
    }
  }
}

extension ReloadRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    guard let reload = context.delegate.reload else {
      throw ControlError(
        .conflict, exit: .temporary,
        "the state owner will exit soon and cannot reload its configuration; try again afterwards")
    }
    responder.openStream()
    reload({ responder.send(NoticeEvent($0)) }, { responder.end($0) })
  }
}
