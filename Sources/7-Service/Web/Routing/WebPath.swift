package import HTTP
internal import OAuthValues

/// The components of a request's path, each decoded only once.
package struct WebPath: Equatable, Sendable {
  /// The maximum number of components; the longest route has five.
  private static let mostComponents = 8

  /// The decoded components; none for `/`.
  package let components: [String]

  /// Returns nil for a path that cannot belong to a page: see ``PathText/text(ofComponent:)``. A component may be empty nowhere, so `//`
  /// and a slash at the end are refused.
  package init?(_ target: RequestTarget) {
    let path = Array(target.path.utf8)
    guard path.first == UInt8(ascii: "/") else { return nil }
    guard path.count > 1 else {
      components = []
      return
    }
    let parts = path.dropFirst().split(
      separator: UInt8(ascii: "/"), maxSplits: Self.mostComponents, omittingEmptySubsequences: false)
    guard parts.count <= Self.mostComponents else { return nil }
    var components: [String] = []
    for part in parts {
      guard part.count <= 3 * PathText.limit, let bytes = try? PercentEncoding.decode(part),
        let text = PathText.text(ofComponent: bytes)
      else { return nil }
      components.append(text)
    }
    self.components = components
  }
}
