internal import Control
internal import Dispatch
internal import Platform
internal import Settings
internal import Store
internal import Timeline

/// What is asked of what is kept.
extension ControlJobs {
  func mark(_ asked: ControlRequest.Mark, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let account = try account(asked.account)
      answer.open()
      do throws(Failure) {
        try keeper.mark(account, upTo: asked.upTo.map { PostID($0) }) { result in
          if case .success(let mark) = result {
            answer.tell(
              .marked(
                ControlEvent.Marked(account: account.name.text, upTo: mark.upTo?.text, unread: mark.unread)))
          }
          answer.end(result.map { _ in }, account: account.name.text)
        }
      } catch { answer.end(.failure(error), account: account.name.text) }
    } catch { answer.refuse(error) }
  }

  func purge(_ asked: ControlRequest.Removal, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let named = try asked.account.map { name throws(ControlRefusal) in try account(name) }
      let chosen = named.map { [$0] } ?? keeper.configuration.accounts.filter { keeper.hasArchive($0) }
      answer.open()
      let all = DispatchGroup()
      let end = Locked(ControlEvent.End(exit: .done))
      for account in chosen {
        all.enter()
        purge(account, asked, answer) { result in
          if case .failure(let failure) = result {
            answer.tell(.notice("\(account.name): \(failure.message)"))
            end.withLock { $0.exit = $0.exit.worse(failure.exitCode) }
          }
          all.leave()
        }
      }
      all.notify(queue: queue) { answer.end(end.withLock { $0 }) }
    } catch { answer.refuse(error) }
  }

  private func purge(
    _ account: AccountSettings, _ asked: ControlRequest.Removal, _ answer: ControlAnswer,
    completion: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) {
    let name = account.name.text
    let end: @Sendable (Result<Purged, Failure>) -> Void = { result in
      if case .success(let purged) = result {
        answer.tell(.purged(ControlEvent.Purged(account: name, posts: purged.posts, quotes: purged.quotes)))
        if !purged.isLogCleared {
          answer.tell(
            .notice(
              "\(name): somebody reads the database just now, so its log still holds what was removed; "
                + "the next refresh clears it, or the same purge once more"))
        }
      }
      completion(result.map { _ in })
    }
    do throws(Failure) {
      if asked.isDryRun { return try keeper.count(account, Purge(asked.what), completion: end) }
      try keeper.purge(account, Purge(asked.what)) { run in
        answer.tell(
          .progress(
            ControlEvent.Progress(
              account: name, done: run.progress.done, of: run.progress.of, posts: run.purged.posts)))
      } completion: {
        end($0)
      }
    } catch { completion(.failure(error)) }
  }

  func take(_ asked: ControlRequest.Import, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let account = try account(asked.account)
      let name = account.name.text
      answer.open()
      do throws(Failure) {
        try keeper.take(account, from: asked.file) { progress in
          answer.tell(
            .progress(ControlEvent.Progress(account: name, done: progress.done, of: progress.of, posts: progress.new)))
        } completion: { result in
          if case .success(let report) = result {
            answer.tell(.imported(ControlEvent.Imported(account: name, new: report.new, known: report.known)))
          }
          answer.end(result.map { _ in }, account: name)
        }
      } catch { answer.end(.failure(error), account: name) }
    } catch { answer.refuse(error) }
  }
}

extension Purge {
  fileprivate init(_ asked: ControlRequest.Removal.What) {
    self =
      switch asked {
      case .post(let id): .post(PostID(id))
      case .author(let name): .author(name)
      case .before(let moment): .before(moment)
      case .everything: .everything
      }
  }
}
