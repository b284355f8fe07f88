internal import HTTP
internal import HTTPClient
package import Platform

/// Downloads one file. The methods block, so a download needs its own thread.
package struct FileDownload {
  private let connection: DriveConnection
  private let source: DrivePath
  private let target: String
  private let replaces: Bool
  private let account: String
  private let progress: TransferProgress.File

  /// - Parameters:
  ///   - target: the path of the local file, including its folder.
  ///   - replaces: whether an existing file is replaced.
  ///   - account: the account's name, which distinguishes partial files of different drives.
  package init(
    _ source: DrivePath, to target: String, replaces: Bool, from account: String, by connection: DriveConnection,
    progress: TransferProgress.File
  ) {
    self.connection = connection
    self.source = source
    self.target = target
    self.replaces = replaces
    self.account = account
    self.progress = progress
  }

  /// The download, and the failure that occurred while its body was received.
  private struct State {
    var download: ResumableDownload
    var facts: PartialFile.Facts
    var failure: DriveError?
  }

  /// - Throws: ``DriveError``. The next run resumes the download, except after a wrong hash.
  package func run() throws(DriveError) {
    let origin = "\(account):\(source.text)"
    if !replaces, let use = FreeName.use(of: target) {
      let state =
        PartialFile.isCopied(incompletelyTo: target, from: origin)
        ? ", but is incomplete, because an earlier download was interrupted" : ""
      throw DriveError(.exists, "\(use)\(state). To replace it, add --replace")
    }
    let file = try PartialFile(of: target, from: origin)
    do throws(DriveError) { try receive(into: file) } catch {
      file.removeIfEmpty()
      throw error
    }
    try file.complete(replaces: replaces)
  }

  private func receive(into file: PartialFile) throws(DriveError) {
    let facts = file.found ?? PartialFile.Facts(source: "\(account):\(source.text)")
    let state = Locked(
      State(
        download: ResumableDownload(
          received: file.length, validator: facts.validator, sha1: facts.sha1, size: facts.size), facts: facts))
    while true {
      let (step, received) = state.withLock { ($0.download.step, $0.download.received) }
      if received < file.length { try file.empty() }
      progress.set(received)
      switch step {
      case .locate: locate(state)
      case .wait(let duration):
        Pause.sleep(duration)
        state.withLock { $0.download.handleWaited() }
      case .verify:
        let sha1 = try file.sha1()
        state.withLock { $0.download.handle(sha1: sha1) }
      case .done: return
      case .failed(let failure): throw failure
      case .request(let address, let start, let validator):
        let failure = connection.download(
          address, from: start, validator: validator, to: receiver(state, file))
        if let failure, failure.kind == .refused || failure.kind == .local { throw failure }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        state.withLock { $0.download.handleEnd(failure) }
      }
    }
  }

  private func locate(_ state: Locked<State>) {
    do throws(DriveError) {
      let entry = try DriveEntry(
        try connection.call(isRepeatable: true) { (api, time) throws(DriveError) in
          try api.information(source, at: time)
        })
      if entry.isFolder { throw DriveError(.notFound, "it is a folder, and only files can be downloaded") }
      var location = try DriveLocation(
        try connection.call(isRepeatable: true) { (api, time) throws(DriveError) in
          try api.locate(source, at: time)
        })
      location.sha1 = location.sha1 ?? entry.sha1
      location.size = location.size ?? entry.size
      if let size = location.size { progress.setTotal(size) }
      var addresses: [String] = []
      for address in location.addresses { addresses.append(try connection.hosts.download(address)) }
      state.withLock { $0.download.handle(location: location, addresses: addresses) }
    } catch { state.withLock { $0.download.handle(refused: error) } }
  }

  private func receiver(_ state: Locked<State>, _ file: PartialFile) -> BodyReceiver {
    unsafe BodyReceiver { status, headers in
      state.withLock { state in
        let use = state.download.begin(status: status.code, headers: headers)
        guard use != .discard else { return false }
        do throws(DriveError) {
          if use == .startOver { try file.empty() }
          // The facts are stored before the first byte, so that the bytes are never attributed to a different version.
          let download = state.download
          let facts = PartialFile.Facts(
            source: state.facts.source, sha1: download.sha1, size: download.size, validator: download.validator)
          if facts != state.facts || use == .startOver {
            try file.store(facts)
            state.facts = facts
          }
        } catch { state.failure = error }
        return true
      }
    } receive: { bytes in
      try state.withLock { state in
        if let failure = state.failure { throw failure }
        unsafe try file.append(bytes)
        self.progress.add(bytes.count)
        return state.download.add(bytes.count)
      }
    }
  }
}
