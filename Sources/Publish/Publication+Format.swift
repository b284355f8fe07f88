internal import CivilTime
package import Timeline

extension Publication {
  /// The whole file of a format.
  package func bytes(as format: PublishedFormat) -> [UInt8] {
    switch format {
    case .jsonLines: JSONLines.bytes(of: self)
    case .atom: AtomFeed.bytes(of: self)
    case .jsonFeed: JSONFeed.bytes(of: self)
    case .text: TextLines.bytes(of: self)
    case .bar: BarLine.bytes(of: self)
    case .html: TimelinePage.bytes(of: self)
    }
  }
}
