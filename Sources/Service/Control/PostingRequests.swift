internal import Accounts
internal import CivilTime
package import Control
internal import Dispatch
internal import HTTP
internal import Outbox
internal import Platform
internal import PostText
internal import Posting
internal import Settings

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
      text: text, visibility: visibility, warning: warning, language: language, postAt: postAt)
    let attached = files.map {
      AttachedFile(path: $0.path, description: $0.description, keepsMetadata: keepsMetadata)
    }
    responder.openStream()
    responder.begin(about: name) { () throws(OperationError) in
      if !isDryRun, !isConfirmed, account.mustConfirm(cost) {
        throw OperationError(
          .badContent,
          "this post costs \(MicroUSD.text(cost)) USD, more than \"confirm_above_usd\"; confirm it with --yes")
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
      try context.accountManager.post(draft, attaching: attached, to: account) {
        responder.send(UploadEvent($0, account: name))
      } completion: {
        responder.end($0, account: name)
      }
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
      guard let parsed = IntentID(text) else {
        throw ControlError(.badRequest, "the id of a post in the outbox looks like out-4k7m2p9xq1")
      }
      id = parsed
    }
    responder.openStream()
    responder.begin(about: named?[0].name.text ?? "outbox") { () throws(OperationError) in
      let all = try context.accountManager.outboxes(of: accounts)
      guard let id else {
        let damaged = try context.accountManager.damagedRecords(of: accounts)
        for path in damaged { responder.send(NoticeEvent(Self.notice(ofDamage: path))) }
        if damaged.isEmpty, all.allSatisfy(\.intents.isEmpty) {
          responder.send(NoticeEvent("there are no posts in the outbox"))
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
        return try context.accountManager.retryPost(id, isConfirmed: isConfirmed, of: account) {
          responder.send(UploadEvent($0, account: name))
        } completion: {
          responder.end($0, account: name)
        }
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
        if case .success = result {
          responder.send(PostActionEvent(account: name, action: kind.rawValue, post: id))
        }
        responder.end(result, account: name)
      }
    }
  }
}

extension ControlResponder {
  /// Sends the state of a post that a user is waiting for, and ends the stream.
  fileprivate func end(_ result: Result<PostIntent, OperationError>, account: String) {
    switch result {
    case .failure(let failure): end(EndEvent(failure, account: account))
    case .success(let intent):
      let event = OutboxEvent(intent, account: account)
      send(event)
      // The command need not be repeated, but the user has to log in.
      end(EndEvent(exit: intent.awaitsLogin ? .notAuthorised : event.exitCode))
    }
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
  /// The exit code of a command that sent this post. It is 0 if the post has to wait, because a script that repeated the command would
  /// publish it twice.
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
      postAt: intent.draft.postAt, message: nil, post: nil, url: nil)
    switch intent.state {
    case .queued(let waiting): message = waiting.reason
    case .uploading(let waiting): (state, message) = (.uploading, waiting.reason)
    case .sending(let attempt): (state, message) = (.sending, attempt.reason)
    case .refused(let reason, _): (state, message) = (.refused, reason)
    case .unknown(let reason, _): (state, message) = (.unknown, reason)
    case .posted(let post, _, let differences):
      let text = differences.joined(separator: "; ")
      (state, message, self.post, url) = (.posted, text.isEmpty ? nil : text, post.id, post.url)
    }
  }
}
