internal import Bytes
internal import Commands
internal import Drive
internal import Folders
internal import Formats
internal import HTTPClient
internal import JSON
internal import LocalCommands
internal import Platform
internal import Secrets
internal import Settings
internal import TerminalText
internal import Time

extension Command.Drive: DaemonProgramCommand {
  /// Runs the command on a separate thread, without the state and its lock: docs/decisions/service-and-commands.md, 0037.
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable {
    let run = try DriveRun(self, invocation, environment)
    try startThread { () throws(CommandError) in try run.run() }
    return run
  }
}

/// One `homeline drive` command.
struct DriveRun: Sendable {
  let command: Command.Drive
  let connection: DriveConnection
  /// The mount that the 2013 API uploads to; nil for the current API.
  let legacyMount: String?
  /// The account's private folder for records of unfinished uploads.
  let recordFolder: String
  /// Whether the results are printed as JSON.
  private let isJSON: Bool

  init(
    _ command: Command.Drive, _ invocation: Invocation, _ environment: CommandEnvironment
  ) throws(CommandError) {
    self.command = command
    isJSON = invocation.isJSON
    let configuration = try environment.configurationFiles(invocation).load()
    let account: AccountSettings
    do throws(AccountChoiceError) { account = try configuration.account(named: command.account.text) } catch {
      throw CommandError(error)
    }
    guard let settings = account.drive, case .oauth2(let id, let source?) = account.credentials else {
      throw CommandError(.usage, "\(account.name) is not a cloud drive: its provider is \(account.provider)")
    }
    let folders = try environment.folders()
    let secret: Secret
    do throws(SecretError) {
      secret = try SecretResolver(variables: environment.variables, folders: folders).secret(from: source)
    } catch { throw CommandError(error, about: "\(account.name)") }
    let server: RequestURL
    do throws(RequestURLError) { server = try Self.server(of: account) } catch {
      throw CommandError(.software, "\(error)")
    }
    let client = Client(
      policy: ClientPolicy(userAgent: Version.userAgent, environment: environment.variables))
    let hosts = DriveHosts(api: server, patterns: settings.hosts)
    let library = settings.libraryID.map { "\($0)" }
    let key: DriveKey =
      switch settings.key {
      case .library: .library(id: id)
      case .enterprise: .enterprise(id: id)
      case .user: .user(token: try Self.token(of: account.name, invocation, environment), library: library)
      }
    let name = account.name
    let renewal: DriveConnection.Renewal = { refused throws(DriveError) in
      do throws(CommandError) {
        // The service may already have renewed the token.
        let token = try Self.token(of: name, invocation, environment)
        return token == refused ? try Self.token(of: name, renewed: true, invocation, environment) : token
      } catch { throw DriveError(.loginNeeded, error.message) }
    }
    var connection = DriveConnection(
      DriveAPI(origin: server.origin, key: key, secret: secret), hosts: hosts, by: client, renewal: renewal)
    switch settings.key {
    case .library: break
    case .enterprise: connection = try Self.bind(connection, library: library ?? "", client)
    case .user where library == nil: connection = try Self.chooseLibrary(connection, secret, client, renewal)
    case .user: break
    }
    self.connection = connection
    legacyMount = settings.legacyMount
    recordFolder = FileLayout(folders).files(of: account.name.text).stateFolder
  }

  private static func server(of account: AccountSettings) throws(RequestURLError) -> RequestURL {
    if let server = account.server { return server }
    return try RequestURL(DriveAPI.publicServer)
  }

  /// Obtains a user's token from the state owner, which renews it if a renewal is due.
  /// - Parameter isRenewed: whether to renew the token even if no renewal is due.
  private static func token(
    of account: AccountName, renewed isRenewed: Bool = false, _ invocation: Invocation,
    _ environment: CommandEnvironment
  ) throws(CommandError) -> Secret {
    let configuration = invocation.configurationFile.map { ["--config", $0] } ?? []
    do throws(SystemError) {
      let output = try Child.output(
        of: try ProcessEnvironment.programPath(),
        [OwnerRun.preparedMark] + configuration + ["token", account.text] + (isRenewed ? ["--renew"] : []),
        environment: environment.variables, limit: 65_536, timeout: .seconds(60))
      return Secret(bytes: Array(output.prefix { $0 != UInt8(ascii: "\n") }))
    } catch {
      throw CommandError(.notAuthorised, "\(account): no token is available. To log in: homeline login \(account)")
    }
  }

  /// Finds the library of a user who has only one.
  private static func chooseLibrary(
    _ user: DriveConnection, _ secret: Secret, _ client: Client, _ renewal: @escaping DriveConnection.Renewal
  ) throws(CommandError) -> DriveConnection {
    do throws(DriveError) {
      let libraries = try DriveLibrary.list(
        try user.call(isRepeatable: true) { (api, time) throws(DriveError) in try api.libraries(at: time) })
      guard let library = libraries.first, libraries.count == 1, case .user(let token, _) = user.api.key else {
        let list = libraries.map { "\($0.id) (\($0.name))" }.joined(separator: ", ")
        throw DriveError(.configuration, "choose a library: set drive.library_id of the account to one of \(list)")
      }
      let key = DriveKey.user(token: token, library: library.id)
      return DriveConnection(
        DriveAPI(origin: user.hosts.api.origin, key: key, secret: secret), hosts: user.hosts, by: client,
        renewal: renewal)
    } catch { throw CommandError(error) }
  }

  /// Obtains a library's key with its enterprise's key. The library's key is not stored.
  private static func bind(
    _ enterprise: DriveConnection, library: String, _ client: Client
  ) throws(CommandError) -> DriveConnection {
    do throws(DriveError) {
      let binding = try DriveBinding(
        try enterprise.call(isRepeatable: true) { (api, time) throws(DriveError) in
          try api.bind(library: library, at: time)
        })
      let api = DriveAPI(
        origin: enterprise.hosts.api.origin, key: .library(id: binding.id), secret: binding.secret)
      return DriveConnection(api, hosts: enterprise.hosts, by: client)
    } catch { throw CommandError(error) }
  }

  func run() throws(CommandError) -> ExitCode {
    switch command.action {
    case .ls:
      var entries: [DriveEntry] = []
      try each { (path) throws(CommandError) in entries += try list(path) }
      try answerJSON(entries)
    case .info:
      var entries: [DriveEntry] = []
      try each { (path) throws(CommandError) in entries.append(try describe(path)) }
      try answerJSON(entries)
    case .mkdir:
      try each { (path) throws(CommandError) in
        try creating(path) { () throws(DriveError) in
          _ = try connection.call { (api, time) throws(DriveError) in try api.createFolder(path, at: time) }
        }
      }
    case .rm:
      let paths = try paths(command.places)
      if paths.contains(where: \.isRoot) { throw CommandError(.usage, "the drive itself cannot be removed") }
      try about(paths.count == 1 ? paths[0] : .root) { () throws(CommandError) in
        _ = try call { (api, time) throws(DriveError) in try api.delete(paths, at: time) }
      }
    case .link:
      var links: [String] = []
      try each { (path) throws(CommandError) in
        let response = try call { (api, time) throws(DriveError) in
          try api.link(to: path, at: time)
        }
        let link = try reading { () throws(DriveError) in try DriveLink.read(response) }
        links.append(link)
        if !isJSON { try answer("\(SafeText.line(of: link))\n") }
      }
      if isJSON { try write(JSONDocument.output { $0.member("links", list: links) { $0.string($1) } }) }
    case .mv:
      let (source, target) = try sourceAndTarget()
      try about(source) { () throws(CommandError) in
        try creating(target) { () throws(DriveError) in
          for request in try connection.api.move(source, to: target, at: WallClock.system.now.seconds) {
            _ = try connection.call { (_, _) throws(DriveError) in request }
          }
        }
      }
    case .cp:
      let (source, target) = try sourceAndTarget()
      try about(source) { () throws(CommandError) in
        try creating(target) { () throws(DriveError) in
          _ = try connection.call { (api, time) throws(DriveError) in try api.copy(source, to: target, at: time) }
        }
      }
    case .get: return try download()
    case .put: return try upload()
    }
    return .done
  }

  // MARK: Reading

  /// Lists a folder: prints its entries, or with `--json` only returns them.
  private func list(_ folder: DrivePath) throws(CommandError) -> [DriveEntry] {
    var listing = FolderListing()
    var entries: [DriveEntry] = []
    while let start = listing.next {
      let page = try reading { () throws(DriveError) in
        try DriveListing(
          try connection.call(isRepeatable: true) { (api, time) throws(DriveError) in
            try api.list(folder, from: start, at: time)
          })
      }
      let taken = listing.take(page)
      if isJSON { entries += taken } else { try answer(taken.map { Self.line($0) }.joined()) }
    }
    if listing.isIncomplete {
      throw CommandError(.unavailable, "the folder kept changing, so entries may be missing; run the command again")
    }
    if listing.unreadable > 0 {
      let entries = listing.unreadable == 1 ? "1 entry is" : "\(listing.unreadable) entries are"
      Terminal.say(
        "homeline: \(command.account.text):\(folder): \(entries) not listed, because the server sends no path or one longer than \(DriveEntry.pathLimit) bytes"
      )
    }
    return entries
  }

  /// Returns a line with the size, the time of the last change and the name, in the same order as `ls -l`.
  private static func line(_ entry: DriveEntry) -> String {
    let size = entry.isFolder ? "-" : entry.size.map { "\($0)" } ?? "?"
    let time = entry.changed?.rfc3339 ?? "?" + String(repeating: " ", count: 19)
    return
      "\(String(repeating: " ", count: max(0, 13 - size.count)))\(size) \(time) \(SafeText.line(of: entry.name))\(entry.isFolder ? "/" : "")\n"
  }

  /// Describes a file or a folder: prints its properties, or with `--json` only returns them.
  private func describe(_ path: DrivePath) throws(CommandError) -> DriveEntry {
    let entry = try entry(at: path)
    if isJSON { return entry }
    var lines = "path: \(SafeText.line(of: entry.path))\ntype: \(entry.isFolder ? "folder" : "file")\n"
    if let size = entry.size, !entry.isFolder { lines += "size: \(size)\n" }
    if let sha1 = entry.sha1 { lines += "sha1: \(sha1)\n" }
    lines += "changed: \(entry.changed?.rfc3339 ?? "?")\n"
    if let name = entry.changedBy { lines += "changed by: \(SafeText.line(of: name))\n" }
    try answer(lines)
    return entry
  }

  /// Returns the entry at a path.
  func entry(at path: DrivePath) throws(CommandError) -> DriveEntry {
    try reading { () throws(DriveError) in
      try DriveEntry(
        try connection.call(isRepeatable: true) { (api, time) throws(DriveError) in
          try api.information(path, at: time)
        })
    }
  }

  /// Returns the entry at a path; nil if there is none.
  func existingEntry(at path: DrivePath) throws(CommandError) -> DriveEntry? {
    do throws(DriveError) {
      return try DriveEntry(
        try connection.call(isRepeatable: true) { (api, time) throws(DriveError) in
          try api.information(path, at: time)
        })
    } catch {
      if error.kind == .notFound { return nil }
      throw CommandError(error)
    }
  }

  // MARK: Paths

  private func each(_ body: (DrivePath) throws(CommandError) -> Void) throws(CommandError) {
    for path in try paths(command.places) {
      try about(path) { () throws(CommandError) in try body(path) }
    }
  }

  /// Calls `body`, whose errors then name a file or folder in the drive.
  private func about(_ path: DrivePath, _ body: () throws(CommandError) -> Void) throws(CommandError) {
    do throws(CommandError) { try body() } catch {
      // The message already names a target that exists.
      if path.isRoot || error.exitCode == .cannotCreate { throw error }
      throw CommandError(error.exitCode, "\(path): \(error.message)")
    }
  }

  func paths(_ places: [Command.Drive.Place]) throws(CommandError) -> [DrivePath] {
    var paths: [DrivePath] = []
    for place in places { if case .drive(_, let path) = place { paths.append(try Self.path(path)) } }
    return paths
  }

  static func path(_ text: String) throws(CommandError) -> DrivePath {
    do throws(DrivePathError) { return try DrivePath(text) } catch { throw CommandError(.usage, "\(error)") }
  }

  /// Returns the source and the target. If the target ends in a slash or is a folder, the source keeps its name in that folder.
  private func sourceAndTarget() throws(CommandError) -> (DrivePath, DrivePath) {
    guard let source = try paths(command.places).first, case .drive(_, let text)? = command.target else {
      preconditionFailure("the command line names both")
    }
    return (source, try target(text, for: source.name))
  }

  /// Returns the path of a file with this name at a target given on the command line.
  func target(_ text: String, for name: String) throws(CommandError) -> DrivePath {
    let target = try Self.path(text)
    let isFolder = target.isRoot || text.hasSuffix("/")
    if !isFolder {
      let entry = try existingEntry(at: target)
      guard entry?.isFolder == true else { return target }
    }
    do throws(DrivePathError) { return try target.appending(name) } catch { throw CommandError(.usage, "\(error)") }
  }

  // MARK: Results

  /// Sends a request that changes the drive.
  private func call(
    _ make: (DriveAPI, Int64) throws(DriveError) -> DriveRequest
  ) throws(CommandError) -> DriveResponse {
    do throws(DriveError) { return try connection.call(make) } catch { throw CommandError(error) }
  }

  /// Sends requests that create a file or a folder. If it already exists, the error names it.
  private func creating(_ target: DrivePath, _ send: () throws(DriveError) -> Void) throws(CommandError) {
    try reading { () throws(DriveError) in
      do throws(DriveError) { try send() } catch {
        throw error.kind == .exists ? Self.taken(target, in: command.account.text, isReplaceable: false) : error
      }
    }
  }

  /// Returns the error for a target that exists, whether this program or the server found it.
  /// - Parameter isReplaceable: whether `--replace` would replace it.
  static func taken(_ target: DrivePath, in account: String, isReplaceable: Bool) -> DriveError {
    DriveError(.exists, "\(account):\(target) exists\(isReplaceable ? "; to replace it, add --replace" : "")")
  }

  private func reading<Value>(_ body: () throws(DriveError) -> Value) throws(CommandError) -> Value {
    do throws(DriveError) { return try body() } catch { throw CommandError(error) }
  }

  /// Prints entries with `--json`.
  private func answerJSON(_ entries: [DriveEntry]) throws(CommandError) {
    if !isJSON { return }
    try write(
      JSONDocument.output { json in
        json.member("entries", list: entries) { json, entry in
          json.object { json in
            json.member("path", entry.path)
            json.member("name", entry.name)
            json.member("type", entry.isFolder ? "folder" : "file")
            json.member("size", entry.isFolder ? nil : entry.size)
            json.member("sha1", entry.sha1)
            json.member("changed_at", entry.changed?.rfc3339)
            json.member("changed_by", entry.changedBy)
          }
        }
      })
  }

  private func write(_ output: ProgramOutput) throws(CommandError) {
    do throws(SystemError) { try Terminal.answer(output) } catch {
      throw CommandError(error)
    }
  }

  private func answer(_ text: String) throws(CommandError) {
    do throws(SystemError) { try Terminal.answer(text) } catch { throw CommandError(error) }
  }
}

// The Drive target has no exit codes, because it knows nothing about processes.
extension DriveError: UserFacingError {
  var message: String { description }

  var exitCode: ExitCode {
    switch kind {
    case .refused where isBadRequest: .badData
    case .tokenExpired, .loginNeeded, .refused: .notAuthorised
    case .configuration: .configuration
    case .notFound, .changed: .badData
    case .full, .local: .inputOutput
    case .unavailable, .unreadable: .unavailable
    case .exists: .cannotCreate
    }
  }
}
