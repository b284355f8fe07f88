internal import HTTPClient
package import Platform

/// Uploads one file. The methods block, so an upload needs its own thread.
package struct FileUpload {
  private let connection: DriveConnection
  private let file: LocalFile
  private let target: DrivePath
  private let replaces: Bool
  private let blockSize: Int
  private let progress: TransferProgress.File
  /// The path of the unfinished upload's record.
  private let recordPath: String

  /// - Parameters:
  ///   - replaces: whether an existing file at the target is replaced.
  ///   - folder: an existing private folder where the record of an unfinished upload is stored.
  ///   - blockSize: the block size in bytes.
  package init(
    _ file: LocalFile, to target: DrivePath, replaces: Bool, by connection: DriveConnection,
    recordingIn folder: String, blockSize: Int = 4 << 20, progress: TransferProgress.File
  ) throws(DriveError) {
    self.connection = connection
    self.file = file
    self.target = target
    self.replaces = replaces
    self.blockSize = blockSize
    self.progress = progress
    recordPath = "\(folder)/upload-\(try TransferHash.name(of: [file.path, target.text])).json"
  }

  /// - Throws: ``DriveError``. After a temporary failure, the next run resumes the upload.
  package func run() throws(DriveError) {
    var record = UploadRecord.read(recordPath, for: target)
    // A record from another machine may describe the same content, but never the same file.
    let isSameFile = record?.fingerprint == file.facts.fingerprint
    let content = FileContent(sha1: try isSameFile ? record!.sha1 : file.sha1(), size: file.size)
    if record?.sha1 != content.sha1 { record = nil }
    var upload = BlockUpload(size: content.size, blockSize: blockSize, resuming: try resumable(record))
    var stored = isSameFile ? record?.session : nil
    while true {
      if let session = upload.session, session != stored {
        try UploadRecord(
          target: target.text, fingerprint: file.facts.fingerprint, sha1: content.sha1, session: session
        ).write(to: recordPath)
        stored = session
      }
      progress.set(upload.confirmed)
      switch upload.step {
      case .create: create(&upload, content)
      case .wait(let duration):
        Pause.sleep(duration)
        upload.handleWaited()
      case .done: return try finish()
      case .failed(let failure): throw failure
      case .initialize(let server, let pathID):
        attempt(&upload) { () throws(DriveError) in
          try begin(server: server, pathID: pathID, content)
        }
      case .ask(let session): send(requests(content).ask(session), &upload)
      case .finish(let session): send(requests(content).finish(session), &upload)
      case .send(let session, let range):
        let request = requests(content).send(range, checksum: try file.checksum(of: range), session)
        send(request, &upload, body: file.body(range) { [progress] in progress.add($0) })
      }
    }
  }

  /// Returns the session in a record, after checking that its server is still allowed.
  private func resumable(_ record: UploadRecord?) throws(DriveError) -> BlockUpload.Session? {
    guard let session = record?.session else { return nil }
    return BlockUpload.Session(server: try connection.hosts.uploadServer(session.server), id: session.id)
  }

  private func create(_ upload: inout BlockUpload, _ content: FileContent) {
    do throws(DriveError) {
      let response = try connection.call { (api, time) throws(DriveError) in
        try api.createFile(target, content, replaces: replaces, at: time)
      }
      let created = try CreatedFile(response)
      var servers: [String] = []
      var refusal: DriveError?
      for name in created.servers {
        do throws(DriveError) { servers.append(try connection.hosts.uploadServer(name)) } catch { refusal = error }
      }
      if servers.isEmpty, !created.isComplete, let refusal { throw refusal }
      upload.handle(created: created, servers: servers)
    } catch { upload.handle(refused: error) }
  }

  private func requests(_ content: FileContent) -> UploadRequests {
    UploadRequests(connection.api.key, name: target.name, content)
  }

  /// Begins a session. Only this request to an upload server contains the token, which may have expired during a long transfer.
  private func begin(server: String, pathID: String, _ content: FileContent) throws(DriveError) -> DriveResponse {
    try connection.withValidToken { (api) throws(DriveError) in
      let requests = UploadRequests(api.key, name: target.name, content)
      let response = try connection.send(requests.initialize(server: server, pathID: pathID), isRepeatable: true)
      do throws(DriveError) { try response.check() } catch { if error.kind == .tokenExpired { throw error } }
      return response
    }
  }

  private func send(_ request: DriveRequest, _ upload: inout BlockUpload, body: StreamedBody? = nil) {
    attempt(&upload) { () throws(DriveError) in
      // All these requests are repeatable: the server checks the offset of each block, and repeating the other requests changes nothing.
      try connection.send(request, body: body, isRepeatable: true)
    }
  }

  private func attempt(_ upload: inout BlockUpload, _ send: () throws(DriveError) -> DriveResponse) {
    do throws(DriveError) { upload.handle(try send()) } catch {
      if error.kind == .unavailable { upload.handleInterruption(error) } else { upload.handle(fatal: error) }
    }
  }

  private func finish() throws(DriveError) {
    try? File.remove(recordPath)
    guard file.isUnchanged else {
      throw DriveError(.changed, "\(file.path) changed while it was being sent; run the command again")
    }
    progress.set(file.size)
  }
}
