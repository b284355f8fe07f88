package import Platform
internal import Settings
package import Timeline

/// Where all files lie, from the XDG base directories alone. Names that begin with `_` are ours, all others are accounts'.
package struct FileLayout: Sendable, Hashable {
  package let configFile: String
  package let cacheFolder: String
  package let dataFolder: String
  package let stateFolder: String
  /// The folder of the control socket: in the runtime folder, or where there is none the state folder.
  package let controlFolder: String

  package init(_ base: BaseDirectories) {
    configFile = "\(base.config)/homeline/config.json"
    cacheFolder = "\(base.cache)/homeline"
    dataFolder = "\(base.data)/homeline"
    stateFolder = "\(base.state)/homeline"
    controlFolder = base.runtime.map { "\($0)/homeline" } ?? stateFolder
  }

  /// - Parameter folder: holds everything.
  private init(below folder: String) {
    configFile = "\(folder)/config.json"
    cacheFolder = "\(folder)/cache"
    dataFolder = "\(folder)/data"
    stateFolder = "\(folder)/state"
    controlFolder = stateFolder
  }

  /// The layout of the demonstration: all in one folder below the cache folder, apart from the user's accounts.
  package var demo: FileLayout { FileLayout(below: "\(cacheFolder)/_demo") }

  /// The same with another provider than the one that is usual; each has a folder of its own.
  /// - Parameter provider: letters that may stand in a path.
  package func demo(of provider: String) -> FileLayout { FileLayout(below: "\(cacheFolder)/_demo-\(provider)") }

  package var lock: String { "\(stateFolder)/lock" }
  package var controlSocket: String { "\(controlFolder)/control.socket" }
  /// Where a service says how its accounts are; `nil` without a runtime folder.
  package var statusFile: String? { controlFolder == stateFolder ? nil : "\(controlFolder)/status.json" }
  /// Where the control socket lies when it cannot be in its own folder.
  package var stateSocket: String { "\(stateFolder)/control.socket" }
  /// The key of the embedded provider lies here.
  package var sandboxFolder: String { "\(stateFolder)/_sandbox" }

  /// The pictures that published pages show, of all accounts.
  package var mediaFolder: String { "\(cacheFolder)/_media" }

  /// Where a view is published: its folder has the files that an account's cache folder has. The name begins with one of ours, so no
  /// account can have it.
  package func viewFolder(of view: String) -> String {
    precondition(AccountName(view) != nil, "a view's name was used unchecked")
    return "\(cacheFolder)/_views/\(view)"
  }

  /// - Parameter account: a name that ``AccountName`` takes; any other traps, since it could leave its folder.
  package func files(of account: String) -> AccountFiles {
    precondition(AccountName(account) != nil, "an account's name was used unchecked")
    return AccountFiles(account: account, cache: cacheFolder, data: dataFolder, state: stateFolder)
  }
}

extension FileLayout {
  /// The views that something was published of, by name.
  package func publishedViews() throws(SystemError) -> [String] {
    let folder = "\(cacheFolder)/_views"
    guard File.exists(folder) else { return [] }
    return try Folder.names(in: folder).filter { AccountName($0) != nil }
  }

  /// Removes what owners of the state that were killed have left half-written of views. Only the owner may ask for it, before it
  /// publishes one.
  package func removeViewLeftovers() throws(SystemError) {
    for view in try publishedViews() {
      for file in Self.viewFiles { try AtomicFile.removeLeftovers(of: "\(viewFolder(of: view))/\(file)") }
    }
  }

  private static let viewFiles = [AccountFiles.timelineName] + PublishedFormat.allCases.map(\.fileName)

  /// Removes what was published of a view, and nothing else that lies in its folder.
  package func removeView(_ name: String) throws(SystemError) {
    let folder = viewFolder(of: name)
    for file in Self.viewFiles { try File.remove("\(folder)/\(file)") }
    try? Folder.remove(folder)
  }
}

/// Where the files of one account lie.
package struct AccountFiles: Sendable, Hashable {
  package let account: String
  /// What the program publishes; anyone may delete it.
  package let cacheFolder: String
  package let dataFolder: String
  package let stateFolder: String

  init(account: String, cache: String, data: String, state: String) {
    self.account = account
    cacheFolder = "\(cache)/\(account)"
    dataFolder = "\(data)/\(account)"
    stateFolder = "\(state)/\(account)"
  }

  package static let timelineName = "home_timeline.json"

  /// What other programs read.
  package var timeline: String { "\(cacheFolder)/\(Self.timelineName)" }
  package func published(as format: PublishedFormat) -> String { "\(cacheFolder)/\(format.fileName)" }
  package var database: String { "\(dataFolder)/timeline.db" }
  /// See ``CleanShutdownMarker``.
  package var publishedMark: String { "\(dataFolder)/published" }
  /// See ``StartMarker``.
  package var startMarker: String { "\(dataFolder)/request-start" }
  /// Where posts lie that are to be taken in, before the owner takes them.
  package func staged(_ name: String) -> String { "\(dataFolder)/\(name)" }
  package static let stagedPrefix = "import-"
  package var token: String { "\(stateFolder)/token.json" }

  /// Removes what owners of the state that were killed have left half-written of what is published. Only the owner may ask for it, before
  /// it writes.
  package func removePublishedLeftovers() throws(SystemError) {
    try AtomicFile.removeLeftovers(of: timeline)
    for format in PublishedFormat.allCases { try AtomicFile.removeLeftovers(of: published(as: format)) }
    try AtomicFile.removeLeftovers(of: publishedMark)
  }
}
