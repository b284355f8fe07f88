package import Timeline

/// Makes a file of entries anew out of the one before.
package enum EntryFile {
  /// The file with other posts in front.
  /// - Parameters:
  ///   - former: as it was published last, with an entry for each of its posts.
  ///   - kept: which of its entries stay.
  ///   - fresh: the posts in front of them.
  /// - Returns: `nil` where the former one has not as many entries as it should have.
  package static func bytes(
    as format: PublishedFormat, _ head: TimelineHead, fresh: [PublishedPost], before kept: Range<Int>,
    of former: [UInt8], counting count: Int
  ) -> [UInt8]? {
    guard let form = form(of: format), former.count >= form.end.count else { return nil }
    var places = form.places(in: former)
    guard places.count == count else { return nil }
    places.append(former.count - form.end.count + form.separator.count)
    var entries = EntryList(separator: form.separator)
    for post in fresh { entries.append(form.entry(of: post)) }
    entries.append(kept, of: former, at: places)
    return form.file(head, entries)
  }

  private static func form(of format: PublishedFormat) -> (any EntryFormat.Type)? {
    switch format {
    case .atom: AtomFeed.self
    case .jsonFeed: JSONFeed.self
    case .text: TextLines.self
    case .jsonLines, .bar, .html: nil
    }
  }
}
