package import PublishedFiles
package import Storage
package import Time

/// Publishing with rendering on the caller's queue, for tests and benchmarks of other features.
extension TimelineFilesWriter {
  package struct Published {
    package let concernsViews: Bool
    package let isBehind: Bool
    /// The pictures on the page, newest first; `nil` if the page was not rendered.
    package let pictures: [String]?
  }

  /// Publishes the timeline, and renders the formats that are due.
  /// - Throws: also the first failure to write another format.
  @discardableResult
  package func publishAll(
    from database: any AccountStorage, as state: AccountState? = nil, gathers: Bool = false, at now: Timestamp
  ) throws(PublishError) -> Published {
    let outcome = try publish(from: database, as: state, gathers: gathers, at: now)
    let rendered = outcome.rendering?.write()
    if let rendered { note(rendered, isLast: true, for: database) }
    if let failure = rendered?.failure { throw .file(failure) }
    return Published(
      concernsViews: outcome.concernsViews, isBehind: isBehind(database),
      pictures: rendered?.pictures)
  }
}
