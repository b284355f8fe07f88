internal import Bytes
internal import HTTP
internal import Settings

/// The requests of a ``DiscoveryWalk``, the redirects that they lead to, and the servers that documents name.
struct DiscoveryRequests {
  private static let mostRedirects = 3

  /// A place that another server named.
  struct Reference {
    /// The place, with the folder where the server may be.
    let url: RequestURL
    /// The name of the server that named it.
    let referrer: String
  }

  private let start: ServerAddress
  private let fetch: DiscoveryFetch
  /// The places that other servers named, in this order.
  private(set) var references: [Reference] = []
  /// For each host's origin, the name of the server that named the host. The host that the user named has no entry.
  private var referrers: [String: String] = [:]
  /// The paths requested from the first server.
  private(set) var asked: [String] = []
  /// Answers and references that could not be used. They become findings if no API is found.
  var oddities: [String] = []

  init(from start: ServerAddress, fetch: @escaping DiscoveryFetch) {
    self.start = start
    self.fetch = fetch
  }

  /// Requests a JSON document.
  /// - Returns: the document and its URL; `nil` if the server does not have the document.
  mutating func document(
    at url: RequestURL, followsRedirects: Bool = true
  ) throws(DiscoveryError) -> (document: ServerDocument, url: RequestURL)? {
    guard let (response, url) = try answer(from: url, followsRedirects: followsRedirects),
      let document = ServerDocument(response)
    else { return nil }
    return (document, url)
  }

  /// Requests a document and follows redirects to it.
  /// - Returns: the response and its URL; `nil` for a redirect that is not followed.
  /// - Throws: ``DiscoveryError`` if the server does not answer now. Its documents are then unknown, not missing.
  mutating func answer(
    from url: RequestURL, followsRedirects: Bool = true
  ) throws(DiscoveryError) -> (response: Response, url: RequestURL)? {
    var url = url
    for _ in 0...(followsRedirects ? Self.mostRedirects : 0) {
      if url.origin == start.url.origin, !asked.contains(url.path) { asked.append(url.path) }
      let response = try fetch(url, url.origin == start.url.origin ? nil : referrers[url.origin] ?? start.name)
      if let busy = DiscoveryError(busy: response, at: start.name(of: url)) { throw busy }
      guard [301, 302, 303, 307, 308].contains(response.status.code) else {
        if ![200, 404, 410].contains(response.status.code) {
          let host = url.origin == start.url.origin ? "it" : url.authority
          oddities.append("\(host) returns status \(response.status.code) for \(url.path)")
        }
        return (response, url)
      }
      guard followsRedirects, let location = response.headers.first("Location"),
        let next = note(referenceTo: Self.absolute(location, from: url), from: url)
      else { return nil }
      url = next
    }
    return nil
  }

  /// Records that a server names an address. The address leads to the folder above `/.well-known`, or to its path.
  /// - Returns: the address; nil if it is not used.
  @discardableResult
  mutating func note(referenceTo text: String, from url: RequestURL) -> RequestURL? {
    guard let target = reference(to: text, from: url) else { return nil }
    let folder = target.path.firstRange(of: "/.well-known/").map { String(target.path[..<$0.lowerBound]) }
    let place = target.at(path: folder.map { $0.isEmpty ? "/" : $0 } ?? target.path)
    let isKnown = place.isSamePlace(as: url.root) || references.contains { $0.url.isSamePlace(as: place) }
    if !isKnown, target.origin != url.origin || folder != nil {
      references.append(Reference(url: place, referrer: start.name(of: url)))
    }
    allow(target, namedBy: start.name(of: url))
    return target
  }

  /// Returns an address that a server names; nil if tokens could not be sent there, because it is plain http to another machine.
  mutating func reference(to text: String, from url: RequestURL) -> RequestURL? {
    guard let target = try? WrittenURL.url(text) else { return nil }
    if target.isHTTPS || target.isLoopback { return target }
    let oddity = "\(start.name(of: url)) refers to \(target.origin), which is not encrypted"
    if !oddities.contains(oddity) { oddities.append(oddity) }
    return nil
  }

  /// Records which server named a host.
  mutating func allow(_ target: RequestURL, namedBy referrer: String) {
    if target.origin != start.url.origin { referrers[target.origin] = referrers[target.origin] ?? referrer }
  }

  /// Returns the address in a `Location` field (RFC 9110 §10.2.2), in the relative forms that servers use.
  private static func absolute(_ location: String, from url: RequestURL) -> String {
    if location.hasPrefix("//") { return "\(url.scheme):\(location)" }
    if location.hasPrefix("/") { return url.origin + location }
    if location.contains("://") { return location }
    return url.origin + url.path[...(url.path.lastIndex(of: "/") ?? url.path.startIndex)] + location
  }
}
