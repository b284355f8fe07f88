package import Platform
internal import Settings
internal import Timeline

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
