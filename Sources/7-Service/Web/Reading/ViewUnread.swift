internal import Folders
internal import Formats
internal import Glibc
internal import Platform
internal import Settings

extension WebData {
  /// How much of a file is read. It nearly always contains the head and the first post.
  private static let beginning = 64 << 10

  /// Returns the number of unread posts in a view's published file; `nil` if it cannot be read.
  func unread(of view: ViewSettings) -> Int? {
    let path = TimelineFiles(in: layout.viewFolder(of: view.name.text)).timeline
    guard let descriptor = try? TrustedFile.open(path, O_RDONLY) else { return nil }
    var bytes: [UInt8] = []
    guard (try? descriptor.fill(&bytes, upTo: Self.beginning)) != nil else { return nil }
    return (try? TimelineFile.read(bytes, limit: 1))?.head.unread
  }
}
