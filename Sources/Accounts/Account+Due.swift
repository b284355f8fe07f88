package import CivilTime
internal import Files
internal import Platform
internal import Providers
package import Publishing
internal import Settings
internal import Storage
internal import Timeline

/// Checks and actions that send no requests. Call on the account's queue.
extension Account {
  /// Returns whether the account's next refresh is due. An account without a token is never due.
  package func isDue(at now: Timestamp) -> Bool {
    do {
      guard try !needsToken || tokens.read() != nil else { return false }
      guard provider.traits.hasTimeline else { return isOver(renewalDue, at: now) }
      let due = try state().due(at: now, interval: pace)
      return isOver(due, at: now)
    } catch {
      // The refresh will report the file's error.
      return true
    }
  }

  /// Returns whether a time has passed. If an earlier process exited during a request, the pause after that request must also have
  /// passed.
  private func isOver(_ moment: Timestamp?, at now: Timestamp) -> Bool {
    moment.map { max($0, starts.earliestByWall ?? $0) <= now } ?? false
  }

  /// Publishes the posts in the database again if a published file is missing. Sends no request.
  package func restorePublished() throws(PublishError) {
    guard lacksFiles else { return }
    let state: AccountState
    do throws(StorageError) { state = try self.state() } catch { throw .database(error) }
    // An account that was never authorised has nothing to publish.
    if state.identity != nil { try publishAll(gathers: false) }
  }

  /// Whether a file that is to be published does not exist.
  var lacksFiles: Bool {
    provider.traits.hasTimeline
      && (!File.exists(files.timeline) || settings.publish.contains { !File.exists(files.published(as: $0)) })
  }
}
