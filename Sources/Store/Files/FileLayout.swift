package import Platform
internal import Settings

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

  /// The names of the accounts that have a token or a database, sorted: the configured ones and the orphans.
  package func accountsWithFiles() throws(SystemError) -> [String] {
    var found: Set<String> = []
    for folder in [stateFolder, dataFolder] where File.exists(folder) {
      for name in try Folder.names(in: folder) where AccountName(name) != nil {
        let files = files(of: name)
        if File.exists(files.token) || File.exists(files.database) { found.insert(name) }
      }
    }
    return found.sorted()
  }
}
