package import CivilTime

/// What the scheduler knows of an account.
package struct AccountStanding: Sendable, Hashable {
  /// What is under way.
  package let work: Work?
  /// When it is refreshed next; `nil` when nothing is planned.
  package let due: Timestamp?
  /// Why the last attempt did not bring a timeline; `nil` when it did.
  package let trouble: String?
  /// Why what is known of it could not be stored or published; `nil` when nothing is amiss.
  package var notStored: String?
}
