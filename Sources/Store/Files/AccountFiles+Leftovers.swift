package import Platform

extension AccountFiles {
  /// Removes what owners of the state that were killed have left half-written. Only the owner may ask for it, before it writes.
  package func removeLeftovers() throws(SystemError) {
    try AtomicFile.removeLeftovers(of: timeline)
    try AtomicFile.removeLeftovers(of: token)
    if File.exists(stateFolder) { try TokenReservation.removeLeftovers(of: token, in: stateFolder) }
  }
}
