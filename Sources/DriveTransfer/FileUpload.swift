package import Drive
internal import HTTPClient
internal import HomelineOAuth
internal import Platform

/// Uploads one file. Its methods block, so it needs a separate thread.
package struct FileUpload {
  /// The block size in bytes.
  package static let blockSize = 4 << 20

  private let connection: DriveConnection
  private let file: LocalFile
  private let target: DrivePath
  private let replaces: Bool
  private let blockSize: Int
  private let progress: TransferProgress.File
  /// The path of the record.
  private let recordPath: String

  /// - Parameters:
  ///   - replaces: whether an existing file at the target is replaced.
  ///   - folder: an existing private folder in which the record of an unfinished upload is stored.
  package init(
    _ file: LocalFile, to target: DrivePath, replaces: Bool, by connection: DriveConnection,
    recordingIn folder: String, blockSize: Int = Self.blockSize, progress: TransferProgress.File
  ) throws(DriveFailure) {
    self.connection = connection
    self.file = file
    self.target = target
    self.replaces = replaces
    self.blockSize = blockSize
    self.progress = progress
    recordPath = "\(folder)/upload-\(try TransferHash.name(of: [file.path, target.text])).json"
  }

  /// - Throws: ``DriveFailure``. After a temporary failure, the next run resumes the upload.
  package func run() throws(DriveFailure) {
    let record = UploadRecord.read(recordPath, of: file, for: target)
    let content = FileContent(sha1: try hash(record), size: file.size)
    let requests = UploadRequests(connection.api.key, name: target.name, content)
    var upload = BlockUpload(size: content.size, blockSize: blockSize, resuming: try resumable(record))
    var stored = record?.session
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
        send(requests.initialize(server: server, pathID: pathID), &upload)
      case .ask(let session): send(requests.ask(session), &upload)
      case .finish(let session): send(requests.finish(session), &upload)
      case .send(let session, let range):
        let request = requests.send(range, checksum: try file.checksum(of: range), session)
        send(request, &upload, body: file.body(range) { [progress] in progress.add($0) })
      }
    }
  }

  private func hash(_ record: UploadRecord?) throws(DriveFailure) -> String {
    if let record { return record.sha1 }
    return try file.sha1()
  }

  /// The session in a record. Its server may no longer be allowed.
  private func resumable(_ record: UploadRecord?) throws(DriveFailure) -> BlockUpload.Session? {
    guard let session = record?.session else { return nil }
    return BlockUpload.Session(server: try connection.hosts.uploadServer(session.server), id: session.id)
  }

  private func create(_ upload: inout BlockUpload, _ content: FileContent) {
    do throws(DriveFailure) {
      let response = try connection.call { (api, time) throws(DriveFailure) in
        try api.createFile(target, content, replaces: replaces, at: time)
      }
      let created = try CreatedFile(response)
      var servers: [String] = []
      var refusal: DriveFailure?
      for name in created.servers {
        do throws(DriveFailure) { servers.append(try connection.hosts.uploadServer(name)) } catch { refusal = error }
      }
      if servers.isEmpty, !created.isComplete, let refusal { throw refusal }
      upload.handle(created: created, servers: servers)
    } catch { upload.handle(refused: error) }
  }

  private func send(_ request: DriveRequest, _ upload: inout BlockUpload, body: StreamedBody? = nil) {
    do throws(DriveFailure) {
      // The server checks the offset of each block, and all other requests only ask or repeat.
      upload.handle(try connection.send(request, body: body, isRepeatable: true))
    } catch {
      if error.kind == .unavailable { upload.handleInterruption(error) } else { upload.handle(fatal: error) }
    }
  }

  private func finish() throws(DriveFailure) {
    try? File.remove(recordPath)
    guard file.isUnchanged else {
      throw DriveFailure(.changed, "\(file.path) changed while it was being sent; run the command again")
    }
    progress.set(file.size)
  }
}
