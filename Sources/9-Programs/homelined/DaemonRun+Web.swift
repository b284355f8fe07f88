internal import Accounts
internal import Commands
internal import ControlProtocol
internal import Diagnosis
internal import Dispatch
internal import Platform
internal import PublishedFiles
internal import Service
internal import Settings
internal import StorageSQLite
internal import Time
internal import Web

extension DaemonRun {
  /// Prepares the web page, and opens it if the configuration or an earlier `homeline web` says so. The service works without it.
  func openWebPage(_ context: DaemonContext, log: Log) {
    let accountManager = context.accountManager
    let delegate = context.delegate
    let storage = context.storage.reading(by: pageReaders)
    let data = WebData(
      storage: storage, layout: context.layout,
      settings: { accountManager.configuration },
      status: { delegate.status(of: accountManager.configuration.accounts) },
      paths: { accountManager.media.paths(of: $0) },
      checks: { [file, environment = context.environment] status in
        guard let folders = try? environment.folders() else { return nil }
        return DiagnosticRun(StandardChecks.quick).result(
          in: DiagnosticContext(
            file, environment: environment, folders: folders, storage: storage, knowing: status,
            now: WallClock.system.now))
      })
    do throws(OperationError) {
      let changes = WebChanges { [controlServer = context.controlServer] request, event, completion in
        guard let handled = request as? any HandledRequest else { preconditionFailure("every request has a handler") }
        return controlServer.carryOut(handled, event: event, completion: completion)
      }
      let listener = try WebListener(
        data, changes, news: accountManager.changes, diagnosis: context.diagnosis, log: log
      ) { [weak self] in DispatchQueue.main.async { self?.pagesRested() } }
      web.withLock { $0 = listener }
      listener.start()
    } catch { log(.error, "\(error)") }
  }
}
