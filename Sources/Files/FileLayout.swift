package import Platform
internal import Settings
package import Timeline

/// The paths of all files, derived from the XDG base directories. Names that begin with `_` are reserved; all other names belong to
/// accounts.
package struct FileLayout: Sendable, Hashable {
  package let configFile: String
  package let cacheFolder: String
  package let dataFolder: String
  package let stateFolder: String
  /// The folder of the control socket: a folder in the runtime folder or, without one, the state folder.
  package let controlFolder: String

  package init(_ base: BaseDirectories) {
    configFile = "\(base.config)/homeline/config.json"
    cacheFolder = "\(base.cache)/homeline"
    dataFolder = "\(base.data)/homeline"
    stateFolder = "\(base.state)/homeline"
    controlFolder = base.runtime.map { "\($0)/homeline" } ?? stateFolder
  }

  /// - Parameter folder: the folder for all files.
  private init(below folder: String) {
    configFile = "\(folder)/config.json"
    cacheFolder = "\(folder)/cache"
    dataFolder = "\(folder)/data"
    stateFolder = "\(folder)/state"
    controlFolder = stateFolder
  }

  /// The demo's layout: one folder in the cache folder, separate from the user's accounts.
  package var demo: FileLayout { FileLayout(below: "\(cacheFolder)/_demo") }

  /// Returns the layout of a demo with a provider other than the default. Each provider has its own folder.
  /// - Parameter provider: a name without characters that are special in a path.
  package func demo(of provider: String) -> FileLayout { FileLayout(below: "\(cacheFolder)/_demo-\(provider)") }

  package var lock: String { "\(stateFolder)/lock" }
  package var controlSocket: String { "\(controlFolder)/control.socket" }
  /// The file in which a service reports the status of its accounts; `nil` without a runtime folder.
  package var statusFile: String? { controlFolder == stateFolder ? nil : "\(controlFolder)/status.json" }
  /// The path of the control socket if it cannot be in ``controlFolder``.
  package var stateSocket: String { "\(stateFolder)/control.socket" }
  /// The folder for drafts, the texts of posts that are being written.
  package var draftFolder: String { "\(stateFolder)/_drafts" }
  /// The last report that was too long for an email.
  package var reportFile: String { "\(stateFolder)/_report.txt" }
  /// The folder with the sandbox's key.
  package var sandboxFolder: String { "\(stateFolder)/_sandbox" }

  /// The folder with the pictures of all published pages.
  package var mediaFolder: String { "\(cacheFolder)/_media" }

  /// The pages that `homeline open` renders itself because none is published.
  package var openedPages: OpenedPages { OpenedPages(in: cacheFolder) }

  /// Returns the folder in which a view is published. It contains the same files as an account's cache folder. Its name is reserved, so it
  /// cannot belong to an account.
  package func viewFolder(of view: String) -> String {
    precondition(AccountName(view) != nil, "a view's name was used without validation")
    return "\(cacheFolder)/_views/\(view)"
  }

  /// Returns the paths of an account's files.
  /// - Parameter account: a name that ``AccountName`` accepts. Any other name traps, because it could lead to a path outside the folder.
  package func files(of account: String) -> AccountFiles {
    precondition(AccountName(account) != nil, "an account's name was used without validation")
    return AccountFiles(account: account, cache: cacheFolder, data: dataFolder, state: stateFolder)
  }
}

extension FileLayout {
  /// Returns the names of all accounts that have a folder for their data or their state, even an empty one.
  package func accountFolders() throws(SystemError) -> [String] {
    var names: Set<String> = []
    for folder in [dataFolder, stateFolder] where File.exists(folder) {
      // Only folders count, because a file such as the lock could have the same name as an account.
      names.formUnion(
        try Folder.names(in: folder).filter {
          AccountName($0) != nil && (try? FileStatus.of("\(folder)/\($0)"))?.isFolder == true
        })
    }
    return names.sorted()
  }

  /// Returns the names of the views with published files.
  package func publishedViews() throws(SystemError) -> [String] {
    let folder = "\(cacheFolder)/_views"
    guard File.exists(folder) else { return [] }
    return try Folder.names(in: folder).filter { AccountName($0) != nil }
  }

  /// Removes incomplete view files that killed processes left behind. Only the owner of the state may call this, before it publishes a
  /// view.
  package func removeViewLeftovers() throws(SystemError) {
    for view in try publishedViews() {
      for file in Self.viewFiles { try AtomicFile.removeLeftovers(of: "\(viewFolder(of: view))/\(file)") }
    }
  }

  private static let viewFiles = [AccountFiles.timelineName] + PublishedFormat.allCases.map(\.fileName)

  /// Removes a view's published files, and no other file in its folder.
  package func removeView(_ name: String) throws(SystemError) {
    let folder = viewFolder(of: name)
    for file in Self.viewFiles { try File.remove("\(folder)/\(file)") }
    try? Folder.remove(folder)
  }
}

/// The paths of one account's files.
package struct AccountFiles: Sendable, Hashable {
  package let account: String
  /// The folder of published files. The user may delete it.
  package let cacheFolder: String
  package let dataFolder: String
  package let stateFolder: String
  /// The pages that `homeline open` renders itself, which may contain this account's posts.
  package let openedPages: OpenedPages

  init(account: String, cache: String, data: String, state: String) {
    self.account = account
    openedPages = OpenedPages(in: cache)
    cacheFolder = "\(cache)/\(account)"
    dataFolder = "\(data)/\(account)"
    stateFolder = "\(state)/\(account)"
  }

  package static let timelineName = "home_timeline.json"

  /// The published file that other programs read.
  package var timeline: String { "\(cacheFolder)/\(Self.timelineName)" }
  package func published(as format: PublishedFormat) -> String { "\(cacheFolder)/\(format.fileName)" }
  package var database: String { "\(dataFolder)/timeline.db" }
  /// The path of the ``CleanShutdownMarker``.
  package var cleanShutdownMarker: String { "\(dataFolder)/published" }
  /// The path of the ``StartMarker``.
  package var startMarker: String { "\(dataFolder)/request-start" }
  /// The path of the ``LostLoginMarker``.
  package var lostLoginMarker: String { "\(dataFolder)/login-announced" }
  /// Returns the path of a staged file with posts for the owner of the state to import.
  package func staged(_ name: String) -> String { "\(dataFolder)/\(name)" }
  package static let stagedPrefix = "import-"
  /// The folder of posts that are waiting to be sent.
  package var outboxFolder: String { "\(dataFolder)/outbox" }
  package var token: String { "\(stateFolder)/token.json" }

  /// Removes incomplete published files that killed processes left behind. Only the owner of the state may call this, before it publishes a
  /// file.
  package func removePublishedLeftovers() throws(SystemError) {
    try AtomicFile.removeLeftovers(of: timeline)
    for format in PublishedFormat.allCases { try AtomicFile.removeLeftovers(of: published(as: format)) }
    try AtomicFile.removeLeftovers(of: cleanShutdownMarker)
  }
}

/// The records of unfinished uploads to a drive, in an account's state folder.
package enum UploadRecordFile {
  private static let prefix = "upload-"
  private static let suffix = ".json"

  /// Returns whether a file with this name is the record of an upload.
  package static func isName(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let hash = name.dropFirst(prefix.count).dropLast(suffix.count)
    return !hash.isEmpty && hash.allSatisfy(\.isHexDigit)
  }
}
