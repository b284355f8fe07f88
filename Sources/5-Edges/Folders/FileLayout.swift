package import Platform
internal import Settings
internal import Timeline

/// The paths of all files, derived from the XDG base directories. Names that begin with `_` are reserved; all other names belong to
/// accounts.
package struct FileLayout: Sendable, Hashable {
  package let configFile: String
  package let cacheFolder: String
  package let dataFolder: String
  package let stateFolder: String
  /// The control socket's folder: a folder in the runtime folder or, without a runtime folder, the state folder.
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
  /// The file where a service reports the status of its accounts; `nil` without a runtime folder.
  package var statusFile: String? { controlFolder == stateFolder ? nil : "\(controlFolder)/status.json" }
  /// The path of the control socket if it cannot be in ``controlFolder``.
  package var stateSocket: String { "\(stateFolder)/control.socket" }
  /// The folder for drafts: the text of posts being written, and the files that a browser has sent for them.
  package var draftFolder: String { AccountFiles.draftFolder(in: stateFolder) }
  /// The last report that was too long for an email.
  package var reportFile: String { "\(stateFolder)/_report.txt" }
  /// The folder with the sandbox's key.
  package var sandboxFolder: String { "\(stateFolder)/_sandbox" }
  /// The folder of the web page's private files.
  package var webFolder: String { "\(stateFolder)/_web" }
  /// The hashes of the secrets of browsers that may show the web page.
  package var webSessions: String { "\(webFolder)/sessions" }
  /// The tokens in the addresses of feeds.
  package var webFeeds: String { "\(webFolder)/feeds" }

  /// The folder with the pictures of all published pages.
  package var mediaFolder: String { "\(cacheFolder)/_media" }

  /// The pages that `homeline open` renders itself because none is published.
  package var openedPages: OpenedPages { OpenedPages(in: cacheFolder) }

  /// Returns the folder where a view is published. It contains the same files as an account's cache folder. Its name is reserved, so it
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
      // Only folders count: a file such as the lock could have the same name as an account.
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

  /// Removes incomplete view files that killed processes left behind. Only the state owner may call this, before it publishes a
  /// view.
  package func removeViewLeftovers() throws(SystemError) {
    for view in try publishedViews() {
      for file in TimelineFiles(in: viewFolder(of: view)).all { try AtomicFile.removeLeftovers(of: file) }
    }
  }

  /// Removes the temporary files that killed processes have left behind in any folder, except those of running processes. Call this at the
  /// start, before this process writes a file.
  package func removeAbandonedFiles() throws(SystemError) {
    for folder in Set([stateFolder, dataFolder, cacheFolder, controlFolder]) {
      try removeAbandonedFiles(in: folder, levels: 2)
    }
  }

  /// - Parameter levels: how deep folders are searched: an outbox and a view's folder are two levels below.
  private func removeAbandonedFiles(in folder: String, levels: Int) throws(SystemError) {
    guard File.exists(folder) else { return }
    try AtomicFile.removeAbandoned(in: folder)
    guard levels > 0 else { return }
    // Excluded are the picture store, which can contain many files and removes unknown ones itself, and demos, which have their own owner.
    for name in try Folder.names(in: folder) where !name.hasPrefix("_demo") && "\(folder)/\(name)" != mediaFolder {
      let path = "\(folder)/\(name)"
      if let facts = try? FileStatus.ofLink(path), facts.isFolder {
        try removeAbandonedFiles(in: path, levels: levels - 1)
      }
    }
  }

  /// Removes a view's published files, and no other file in its folder.
  package func removeView(_ name: String) throws(SystemError) {
    let folder = viewFolder(of: name)
    for file in TimelineFiles(in: folder).all { try File.remove(file) }
    try? Folder.remove(folder)
  }
}
