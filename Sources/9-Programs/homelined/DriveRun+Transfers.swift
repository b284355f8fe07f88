internal import Commands
internal import Dispatch
internal import Drive
internal import Platform
internal import Settings

extension DriveRun {
  /// A file to transfer.
  private struct Job: Sendable {
    let name: String
    let run: @Sendable () throws(DriveError) -> Void
    let progress: TransferProgress.File
  }

  func download() throws(CommandError) -> ExitCode {
    var folder = "."
    var file: String?
    if case .local(let path)? = command.target {
      let isFolder = path.hasSuffix("/") || (try? FileStatus.of(path))?.isFolder == true
      if isFolder || command.places.count > 1 { folder = path } else { file = path }
    }
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    let progress = TransferProgress()
    var jobs: [Job] = []
    var targets: Set<String> = []
    for source in try paths(command.places) {
      if source.isRoot { throw CommandError(.usage, "name a file in the drive") }
      let target = Self.absolute(file ?? "\(folder)/\(source.name)")
      guard targets.insert(target).inserted else {
        throw CommandError(.usage, "two of the files would be written to \(target)")
      }
      let part = progress.addFile()
      let download = FileDownload(
        source, to: target, replaces: command.replaces, from: command.account.text, by: connection, progress: part)
      jobs.append(Job(name: source.text, run: { () throws(DriveError) in try download.run() }, progress: part))
    }
    return try run(jobs, progress)
  }

  func upload() throws(CommandError) -> ExitCode {
    guard case .drive(_, let text)? = command.target else { preconditionFailure("the command line names a target") }
    do throws(SystemError) {
      try Folder.create(recordFolder)
      try AtomicFile.removeAbandoned(in: recordFolder)
    } catch { throw CommandError(.cannotCreate, "\(error)") }
    let isFolder = command.places.count > 1 || text.hasSuffix("/")
    let progress = TransferProgress()
    var jobs: [Job] = []
    for case .local(let path) in command.places {
      let file: LocalFile
      do throws(SystemError) { file = try LocalFile(Self.absolute(path)) } catch {
        throw CommandError(error)
      }
      let name = path.split(separator: "/").last.map { String($0) } ?? path
      let target = try target(isFolder && !text.hasSuffix("/") ? text + "/" : text, for: name)
      let part = progress.addFile(size: file.size)
      let (connection, folder, replaces, mount) = (connection, recordFolder, command.replaces, legacyMount)
      let account = command.account.text
      jobs.append(
        Job(
          name: path,
          run: { () throws(DriveError) in
            try Self.checkFree(target, connection, in: account, replaces: replaces)
            do throws(DriveError) {
              if let mount {
                return try LegacyFileUpload(file, to: target, mount: mount, by: connection, progress: part).run()
              }
              try FileUpload(
                file, to: target, replaces: replaces, by: connection, recordingIn: folder, progress: part
              ).run()
            } catch { throw error.kind == .exists ? Self.taken(target, in: account, isReplaceable: !replaces) : error }
          }, progress: part))
    }
    return try run(jobs, progress)
  }

  /// Checks that a target is free. Otherwise, the server would store the file under a different name.
  private static func checkFree(
    _ target: DrivePath, _ connection: DriveConnection, in account: String, replaces: Bool
  ) throws(DriveError) {
    do throws(DriveError) {
      let entry = try DriveEntry(
        try connection.call(isRepeatable: true) { (api, time) throws(DriveError) in
          try api.information(target, at: time)
        })
      if entry.isFolder { throw DriveError(.exists, "\(account):\(target) is a folder") }
      if !replaces { throw taken(target, in: account, isReplaceable: true) }
    } catch { if error.kind != .notFound { throw error } }
  }

  /// Returns a path that does not depend on the current folder.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else {
      return path.hasPrefix("/") ? path : "\(File.realPath("."))/\(path)"
    }
    return "\(File.realPath(String(path[..<slash])))/\(path[path.index(after: slash)...])"
  }

  /// Runs transfers, a few at a time, and shows their progress. If one fails, the others continue.
  private func run(_ jobs: [Job], _ progress: TransferProgress) throws(CommandError) -> ExitCode {
    let waiting = Locked(jobs[...])
    let failures = Locked<[(name: String, failure: DriveError)]>([])
    let finished = DispatchSemaphore(value: 0)
    let workers = min(command.jobs, jobs.count)
    for _ in 0..<workers {
      do throws(SystemError) {
        try DetachedThread.start {
          while let job = waiting.withLock({ $0.popFirst() }) {
            do throws(DriveError) { try job.run() } catch {
              failures.withLock { $0.append((job.name, error)) }
            }
            job.progress.finish()
          }
          finished.signal()
        }
      } catch { throw CommandError(.software, "\(error)") }
    }
    var line = ProgressLine()
    let name = jobs.count == 1 ? jobs[0].name : "\(command.action.rawValue)"
    for _ in 0..<workers {
      let pause = ProgressLine.isVisible ? DispatchTimeInterval.milliseconds(250) : .seconds(3600)
      while finished.wait(timeout: .now() + pause) == .timedOut {
        line.show(ProgressLine.Job(name, progress.snapshot))
      }
    }
    line.clear()
    var code = ExitCode.done
    for (name, failure) in failures.withLock({ $0 }) {
      Terminal.say("homeline: \(name): \(failure)")
      code = code.worse(failure.exitCode)
    }
    return code
  }
}
