package import Bytes

/// The servers that may receive an account's tokens and file contents.
///
/// The API's responses contain the names of upload servers. A server with a wrong or forged name must not receive a token, so only the
/// API's host and the hosts in the configuration are accepted. Plain http is used only for servers on this machine; requests to all other
/// servers use https.
package struct DriveHosts: Sendable, Hashable {
  package let api: RequestURL
  /// The additional hosts in lower case: `host`, or `*.domain` for all hosts in a domain.
  private let patterns: [String]

  package init(api: RequestURL, patterns: [String]) {
    self.api = api
    self.patterns = patterns.map { $0.lowercased() }
  }

  /// Returns the address of an upload server, without a trailing slash. In a response, the address may lack a scheme.
  /// - Throws: ``DriveError`` of the kind `configuration` for a host that is not allowed.
  package func uploadServer(_ text: String) throws(DriveError) -> String {
    let url = try address(text)
    guard url.host == api.host || patterns.contains(where: { Self.matches($0, url.host) }) else {
      throw DriveError(
        .configuration,
        "the drive's server names the upload server \(url.host), which the configuration does not allow; "
          + "if it belongs to the drive, add it to the account's drive.hosts")
    }
    var address = url.text
    while address.hasSuffix("/") { address.removeLast() }
    return address
  }

  /// Returns the address of a file's content. A request to it contains no token, so any host on the Internet is accepted.
  package func download(_ text: String) throws(DriveError) -> String { try address(text).text }

  private func address(_ text: String) throws(DriveError) -> RequestURL {
    let url: RequestURL
    do throws(RequestURLError) {
      let given = try RequestURL(text.contains("://") ? text : "\(api.scheme)://\(text)")
      let isPlain = !given.isHTTPS && !given.isLoopback
      url = isPlain ? try RequestURL("https" + given.text.dropFirst("http".count)) : given
    } catch {
      throw DriveError(.unreadable, "the drive's server reports an invalid URL: \(error)")
    }
    if url.isLoopback, !api.isLoopback {
      throw DriveError(.refused, "the drive's server reports a URL on this machine, \(url.authority)")
    }
    return url
  }

  private static func matches(_ pattern: String, _ host: String) -> Bool {
    pattern.hasPrefix("*.") ? host.hasSuffix(pattern.dropFirst()) : host == pattern
  }
}
