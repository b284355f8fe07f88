package import CivilTime
internal import Files
internal import Platform
internal import Providers
package import Publishing
internal import Settings
internal import Storage
internal import Timeline

/// What can be said and done about an account without asking anybody. Each is to be called on the lane's queue.
extension Account {
  /// Whether its next refresh is due; never without a token.
  package func isDue(at now: Timestamp) -> Bool {
    do {
      guard try tokens.read() != nil else { return false }
      guard provider.traits.hasTimeline else { return isOver(renewalDue, at: now) }
      let due = try state().due(at: now, interval: pace)
      return isOver(due, at: now)
    } catch {
      // The refresh will say what is wrong with the file.
      return true
    }
  }

  /// Whether a moment has come, and the pause after a request of a process that ended in its middle is over.
  private func isOver(_ moment: Timestamp?, at now: Timestamp) -> Bool {
    moment.map { max($0, starts.earliestByWall ?? $0) <= now } ?? false
  }

  /// Publishes what the database holds if somebody deleted the published file: having it back takes no request.
  package func restorePublished() throws(PublishError) {
    guard !File.exists(files.timeline) else { return }
    let state: AccountState
    do throws(StorageError) { state = try self.state() } catch { throw .database(error) }
    // An account that was never authorised has nothing to publish.
    if state.identity != nil { try publishAll(gathers: false) }
  }
}
