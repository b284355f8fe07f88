internal import Glibc
package import Platform
internal import Timeline

extension AccountFiles {
  /// Removes what owners of the state that were killed have left half-written, and what nobody will take in any more. Only the owner
  /// may ask for it, before it writes.
  package func removeLeftovers() throws(SystemError) {
    try AtomicFile.removeLeftovers(of: timeline)
    for format in PublishedFormat.allCases { try AtomicFile.removeLeftovers(of: published(as: format)) }
    try AtomicFile.removeLeftovers(of: publishedMark)
    try AtomicFile.removeLeftovers(of: token)
    if File.exists(stateFolder) { try TokenReservation.removeLeftovers(of: token, in: stateFolder) }
    try removeStaged()
  }

  /// A staged file has the number of the process that will have it taken in.
  private func removeStaged() throws(SystemError) {
    guard File.exists(dataFolder) else { return }
    for name in try Folder.names(in: dataFolder) where name.hasPrefix(Self.stagedPrefix) {
      let digits = name.dropFirst(Self.stagedPrefix.count).prefix { $0.isNumber }
      if let process = Int32(digits), process > 0, kill(process, 0) == 0 || errno == EPERM { continue }
      try File.remove("\(dataFolder)/\(name)")
    }
  }
}
