internal import Accounts
package import ControlProtocol
internal import Dispatch
internal import HTTP
internal import Platform
internal import Posting
internal import Settings
internal import Time

extension SendPostRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let account = try context.account(account, isForPosting: true)
    let name = account.name.text
    guard let visibility = visibility.map({ PostVisibility(rawValue: $0) }) ?? .some(nil) else {
      let known = PostVisibility.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(.badRequest, "visibility must be one of \(known)")
    }
    let cost =
      account.prices?.writing.cost(
        ofPostWithLink: TextLinks.mayBe(in: text), descriptions: files.count { $0.description != nil }) ?? 0
    var draft = PostDraft(
      text: text, visibility: visibility, warning: warning, language: language, postAt: postAt,
      trustsServer: trustsServer)
    let attached = files.map {
      AttachedFile(path: $0.path, description: $0.description, keepsMetadata: keepsMetadata)
    }
    let intentID = try id.map { text throws(ControlError) in
      guard let id = IntentID(text) else { throw .notAnID }
      return id
    }
    let departure = Departure()
    responder.openStream { departure.happened() }
    responder.begin(about: name) { () throws(OperationError) in
      if !isDryRun, !isConfirmed, account.mustConfirm(cost) {
        throw .unconfirmed(cost)
      }
      draft.replyTo = try replyTo.map { reply throws(OperationError) in
        try context.accountManager.replyTarget(reply, in: account)
      }
      if isDryRun {
        return try context.accountManager.checkPost(draft, attaching: attached, of: account) { result in
          if case .success(let post) = result { responder.send(CheckedPostEvent(post, account: name)) }
          responder.end(result.map { _ in }, account: name)
        }
      }
      let waiter = responder.waiter(of: name, patience: patience.map { .seconds($0) } ?? PostWaiter.defaultPatience)
      departure.call(
        try context.accountManager.post(draft, attaching: attached, as: intentID, to: account, waiter: waiter))
    }
  }
}

extension OutboxRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let named = try account.map { name throws(ControlError) in [try context.account(name)] }
    let accounts = named ?? context.accountManager.configuration.accounts
    let id: IntentID?
    switch action {
    case .list: id = nil
    case .retry(let text), .discard(let text):
      guard let parsed = IntentID(text) else { throw .notAnID }
      id = parsed
    }
    let departure = Departure()
    responder.openStream { departure.happened() }
    responder.begin(about: named?[0].name.text ?? "outbox") { () throws(OperationError) in
      let all = try context.accountManager.outboxes(of: accounts)
      guard let id else {
        let damaged = try context.accountManager.damagedRecords(of: accounts)
        for path in damaged { responder.send(NoticeEvent(Self.notice(ofDamage: path))) }
        if damaged.isEmpty, all.allSatisfy(\.intents.isEmpty) {
          responder.send(NoticeEvent(Self.emptiness))
        }
        for (account, intents) in all {
          for intent in intents { responder.send(OutboxEvent(intent, account: account.name.text)) }
        }
        return responder.end(EndEvent(exit: .done))
      }
      guard let account = all.first(where: { $0.intents.contains { $0.id == id } })?.account else {
        throw OperationError(.badContent, "there is no post \(id); homeline outbox lists them")
      }
      let name = account.name.text
      if case .retry = action {
        let waiter = responder.waiter(of: name)
        return departure.call(
          try context.accountManager.retryPost(id, isConfirmed: isConfirmed, of: account, waiter: waiter))
      }
      var event = OutboxEvent(try context.accountManager.discardPost(id, of: account), account: name)
      event.state = .discarded
      responder.send(event)
      responder.end(EndEvent(exit: .done))
    }
  }

  private static func notice(ofDamage path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return
      "the record of the post \(name.prefix { $0 != "." }) is damaged, so the post is not sent; it was moved to \(path); "
      + "once you have seen whether the post was published, remove that file"
  }
}

extension PostActionRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let account = try context.account(account, isForPosting: true)
    let name = account.name.text
    guard let kind = PostAction.Kind(rawValue: action), let action = PostAction(kind, isUndone: undo) else {
      let known = PostAction.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError(.badRequest, "action must be one of \(known), and delete cannot be undone")
    }
    responder.openStream()
    responder.begin(about: name) { () throws(OperationError) in
      guard case .post(let id) = try context.accountManager.replyTarget(post, in: account) else {
        throw OperationError(.badContent, "\(post) is in the outbox; homeline outbox --discard removes it")
      }
      try context.accountManager.perform(action, on: id, as: account) { result in
        if case .success(let outcome) = result {
          responder.send(
            PostActionEvent(
              account: name, action: kind.rawValue, post: id, isUndone: action.isUndone,
              wasAlready: outcome == .already))
        }
        responder.end(result.map { _ in }, account: name)
      }
    }
  }
}

extension ControlError {
  fileprivate static let notAnID = ControlError(
    .badRequest, "the id of a post in the outbox looks like out-4k7m2p9xq1")
}

extension ControlResponder {
  /// Returns the waiter that sends the news about a post as events.
  fileprivate func waiter(of account: String, patience: Duration = PostWaiter.defaultPatience) -> PostWaiter {
    PostWaiter(patience: patience) { progress in
      switch progress {
      case .uploading(let upload): self.send(UploadEvent(upload, account: account))
      case .waiting(let wait): self.send(PostWaitEvent(account: account, reason: wait.reason, until: wait.until))
      }
    } completion: { result in
      self.end(result, account: account)
    }
  }

  /// Sends the state of a post that a user is waiting for, and ends the stream.
  private func end(_ result: Result<PostOutcome, OperationError>, account: String) {
    switch result {
    case .failure(let failure): end(EndEvent(failure, account: account))
    case .success(let outcome):
      let intent = outcome.intent
      var event = OutboxEvent(intent, account: account)
      if let wait = outcome.wait { (event.message, event.waitsUntil) = (wait.reason, wait.until) }
      send(event)
      // The command need not be repeated: homeline continues by itself, or the user has to log in or decide about a post that too many
      // people can see.
      let exit: ExitCode =
        if intent.awaitsLogin {
          .notAuthorised
        } else if outcome.wait != nil {
          .temporary
        } else {
          intent.isTooVisible ? .faultsFound : event.exitCode
        }
      end(EndEvent(exit: exit, retryAt: outcome.wait?.until))
    }
  }
}

/// Calls a function if a command's user leaves, even if the user has left before the function is known.
private final class Departure: Sendable {
  private struct State {
    var hasHappened = false
    var function: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  func happened() {
    let function = state.withLock { state in
      state.hasHappened = true
      return state.function.take()
    }
    function?()
  }

  func call(_ function: @escaping @Sendable () -> Void) {
    let hasHappened = state.withLock { state in
      if !state.hasHappened { state.function = function }
      return state.hasHappened
    }
    if hasHappened { function() }
  }
}

extension UploadEvent {
  fileprivate init(_ progress: UploadProgress, account: String) {
    self.init(
      account: account, id: progress.post, file: progress.file, files: progress.files, done: progress.done,
      total: progress.total)
  }
}

extension CheckedPostEvent {
  fileprivate init(_ post: CheckedPost, account: String) {
    self.init(
      account: account, author: post.author, length: post.length?.count, limit: post.length?.limit,
      unit: post.length?.unit.rawValue)
  }
}

extension OutboxEvent {
  /// The exit code of a command that sent this post. It is 0 if the post waits for its author's chosen time, or for another post's outcome.
  fileprivate var exitCode: ExitCode {
    switch state {
    case .queued, .uploading, .sending, .posted, .discarded: .done
    case .refused: .badData
    case .unknown: .unavailable
    }
  }

  init(_ intent: PostIntent, account: String) {
    self.init(
      account: account, id: intent.id.text, state: .queued, text: intent.draft.text, createdAt: intent.createdAt,
      postAt: intent.draft.postAt, message: intent.waitingReason, post: nil, url: nil)
    switch intent.state {
    // A post that waits for a login is sent after the login.
    case .queued(let waiting): waitsUntil = waiting.needsLogin ? nil : waiting.notBefore
    case .uploading(let waiting): (state, waitsUntil) = (.uploading, waiting.needsLogin ? nil : waiting.notBefore)
    case .sending(let attempt): (state, waitsUntil) = (.sending, attempt.retryAt)
    case .refused(let reason, _): (state, message) = (.refused, reason)
    case .unknown(let reason, _): (state, message) = (.unknown, reason)
    case .posted(let post, _, let differences):
      let text = differences.joined(separator: "; ")
      (state, message, self.post, url) = (.posted, text.isEmpty ? nil : text, post.id, post.url)
    }
  }
}
