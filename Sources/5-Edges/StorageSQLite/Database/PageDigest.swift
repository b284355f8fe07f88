internal import Storage
internal import Time
internal import Timeline

/// A number that identifies the content of a newest page. Different pages have the same number with a probability of 2^-64, because the
/// hash function has a random key in each process.
struct PageDigest {
  private let content: Int
  private let retention: Retention
  private let keepsFiltered: Bool
  private let receivedAt: Timestamp

  /// - Returns: `nil` if the page's state must be stored even if the page has no new posts.
  init?(_ write: PageWrite) {
    guard write.defersQuietState, write.settlement == nil, case .head = write.place else { return nil }
    let page = write.page
    var hasher = Hasher()
    for entry in page.entries {
      hasher.combine(entry.key)
      unsafe PostJSON.bytes(entry.post).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
    hasher.combine(page.deleted)
    hasher.combine(page.older)
    hasher.combine(page.reaches)
    hasher.combine(page.stretch)
    content = hasher.finalize()
    retention = write.retention
    keepsFiltered = write.keepsFiltered
    receivedAt = write.receivedAt
  }

  /// Returns whether storing this page would change nothing, because it equals the last one. Once an hour, a page is stored anyway, to
  /// remove the posts that are due for removal.
  func repeats(_ last: PageDigest) -> Bool {
    let age = receivedAt - last.receivedAt
    return content == last.content && retention == last.retention && keepsFiltered == last.keepsFiltered && age >= .zero
      && age < .seconds(3600)
  }
}
