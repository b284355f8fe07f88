internal import Accounts
package import ControlProtocol
internal import Dispatch
internal import HTTP
internal import Platform
internal import Settings
internal import Storage
internal import Timeline

extension MarkRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let chosen: [(account: AccountSettings, timeline: TimelineName)]
    if let account {
      let (account, timeline) = try context.timeline(account)
      chosen = [(account, timeline ?? .home)]
    } else {
      // An id belongs to one account.
      chosen = (upTo == nil ? try context.timelines() : [try context.account(nil)]).map { ($0, .home) }
    }
    responder.openStream()
    let all = DispatchGroup()
    let end = Locked(EndEvent(exit: .done))
    for (account, timeline) in chosen {
      let name = TimelineKey(account: account.name, timeline: timeline).description
      all.enter()
      let finish: @Sendable (Result<ReadMark, OperationError>) -> Void = { result in
        switch result {
        case .success(let mark):
          responder.send(MarkedEvent(account: name, upTo: mark.upTo?.text, unread: mark.unread))
        case .failure(let failure): end.withLock { $0.add(failure, of: name) }
        }
        all.leave()
      }
      do throws(OperationError) {
        try context.accountManager.mark(account, in: timeline, upTo: upTo.map { PostID($0) }, completion: finish)
      } catch { finish(.failure(error)) }
    }
    all.notify(queue: context.queue) { responder.end(end.withLock { $0 }) }
  }
}

extension EndEvent {
  /// Adds the failure of one of several accounts.
  fileprivate mutating func add(_ failure: OperationError, of account: String) {
    let former = message
    var end = EndEvent(failure, account: account)
    end.message = [former, end.message].compactMap { $0 }.joined(separator: "; ")
    end.exit = exit.worse(end.exit)
    self = end
  }
}

extension ImportRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let account = try context.account(account)
    let name = account.name.text
    responder.openStream()
    responder.begin(about: name) { () throws(OperationError) in
      try context.accountManager.take(account, from: file) { progress in
        responder.send(ProgressEvent(account: name, done: progress.done, of: progress.of, posts: progress.new))
      } completion: { result in
        if case .success(let report) = result {
          responder.send(ImportedEvent(account: name, new: report.new, known: report.known))
        }
        responder.end(result.map { _ in }, account: name)
      }
    }
  }
}

extension PurgeRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let accountManager = context.accountManager
    let named = try account.map { name throws(ControlError) in try Self.account(name, in: context) }
    let chosen = named.map { [$0] } ?? accountManager.configuration.accounts.filter { accountManager.hasArchive($0) }
    responder.openStream()
    let all = DispatchGroup()
    let end = Locked(EndEvent(exit: .done))
    for account in chosen {
      all.enter()
      purge(account, by: accountManager, responder) { result in
        if case .failure(let failure) = result {
          responder.send(NoticeEvent("\(account.name): \(failure.message)"))
          end.withLock { $0.exit = $0.exit.worse(failure.exitCode) }
        }
        all.leave()
      }
    }
    all.notify(queue: context.queue) { responder.end(end.withLock { $0 }) }
  }

  private static func account(_ name: String, in context: ControlContext) throws(ControlError) -> AccountSettings {
    let (account, timeline) = try context.timeline(name)
    if timeline == nil { return account }
    throw ControlError(
      .badRequest, "a purge removes posts from all timelines, so specify the account: \(account.name)")
  }

  private func purge(
    _ account: AccountSettings, by accountManager: AccountManager, _ responder: ControlResponder,
    completion: @escaping @Sendable (Result<Void, OperationError>) -> Void
  ) {
    let name = account.name.text
    let end: @Sendable (Result<Purged, OperationError>) -> Void = { result in
      if case .success(let purged) = result {
        responder.send(PurgedEvent(account: name, posts: purged.posts, quotes: purged.quotes))
        if !purged.isLogCleared {
          responder.send(
            NoticeEvent(
              "\(name): another program is reading the database, so its log still contains the removed posts; "
                + "the next refresh, or the same purge, will clear it"))
        }
      }
      completion(result.map { _ in })
    }
    do throws(OperationError) {
      if isDryRun { return try accountManager.count(account, Purge(selection), completion: end) }
      try accountManager.purge(account, Purge(selection)) { run in
        responder.send(
          ProgressEvent(account: name, done: run.progress.done, of: run.progress.of, posts: run.purged.posts))
      } completion: {
        end($0)
      }
    } catch { completion(.failure(error)) }
  }
}

extension Purge {
  fileprivate init(_ selection: PurgeRequest.Selection) {
    self =
      switch selection {
      case .post(let id): .post(PostID(id))
      case .author(let name): .author(name)
      case .before(let moment): .before(moment)
      case .everything: .everything
      }
  }
}
