package import Storage
internal import Timeline

/// An account's data that exists only in memory because it cannot be written to the database: the disk is full, fails or is read-only, or
/// another process holds a lock.
package struct UnstoredWork {
  /// The state with the results of requests; `nil` if the database contains it.
  package var state: AccountState?
  /// The state after refreshes without new posts, to be stored with the next change or when the published file is replaced; `nil` if the
  /// database contains it.
  package var quiet: AccountState?
  /// The responses in the order received: for each timeline, at most one newest page and one page below it.
  var pages: [UnstoredPage] = []
  /// The reason something could not be stored; `nil` if nothing failed.
  var failure: String?
  /// The reasons timelines could not be published.
  var unpublished: [TimelineName: String] = [:]

  /// The first reason something could not be stored or published; `nil` if nothing failed.
  package var reason: String? { failure ?? unpublished.min { "\($0.key)" < "\($1.key)" }?.value }

  package var isEmpty: Bool { state == nil && pages.isEmpty }

  /// Brings a state from the database up to date.
  func complete(_ stored: inout AccountState) {
    if let state = state ?? quiet { stored.copyOutcome(of: state) }
  }

  /// Keeps a response, replacing the timeline's previous response of its kind. The provider will deliver the replaced response's posts again.
  package mutating func keep(_ page: UnstoredPage) {
    pages.removeAll { $0.timeline == page.timeline && $0.isNewest == page.isNewest }
    pages.append(page)
  }
}
