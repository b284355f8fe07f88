/// The timelines that a command shows.
package struct ShownTimelines {
  /// At least one, unless the command waits for accounts.
  package let sources: [ShownSource]
  /// Whether these are several accounts, even if only one has posts so far. Each post then contains its account.
  package var isMerged = false
}
