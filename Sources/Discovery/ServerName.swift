package import HomelineOAuth
internal import Settings

/// A server as the user names it: `social.example`, `@me@social.example`, an address, or a provider such as `x`.
package enum ServerName: Sendable, Hashable {
  /// A provider with servers of its own, where the user registers an application.
  case provider(String)
  /// An origin, and the user's name if one was given.
  case server(RequestURL, user: String?)

  /// - Throws: ``ServerNameError`` with the reason.
  package init(_ text: String) throws(ServerNameError) {
    if let provider = ProviderDefaults.byServerName[text.lowercased()] {
      self = .provider(provider)
      return
    }
    if let word = ServerWord(text) { throw ServerNameError(word.advice, isAboutWord: true) }
    var rest = Substring(text)
    var user: Substring?
    if !text.contains("://"), let at = text.lastIndex(of: "@") {
      user = rest[..<at].drop { $0 == "@" }
      if let name = user, name.hasPrefix("acct:") { user = name.dropFirst(5) }
      rest = rest[text.index(after: at)...]
    }
    let url: RequestURL
    do throws(RequestURLError) { url = try RequestURL(rest.contains("://") ? "\(rest)" : "https://\(rest)") } catch {
      throw ServerNameError("\(error)")
    }
    guard url.isHTTPS || url.isLoopback else {
      throw ServerNameError("plain http is allowed only for this machine: use https")
    }
    let host = url.host.hasPrefix("www.") ? String(url.host.dropFirst(4)) : url.host
    if let provider = ProviderDefaults.byServerName[host] {
      self = .provider(provider)
      return
    }
    if let word = ServerWord(host) { throw ServerNameError(word.advice, isAboutWord: true) }
    guard url.host.contains(".") || url.host.contains(":") || url.isLoopback else {
      throw ServerNameError("a server has a name such as social.example")
    }
    let origin: RequestURL
    do throws(RequestURLError) { origin = try RequestURL(url.origin) } catch { throw ServerNameError("\(error)") }
    let name = user.map { String($0) } ?? Self.user(in: url.path)
    self = .server(origin, user: name.flatMap { Self.isUserName($0) ? $0 : nil })
  }

  /// Returns the user whose page has this path, such as `/@me` or `/users/me`.
  private static func user(in path: String) -> String? {
    let parts = path.split(separator: "/")
    if let first = parts.first, first.hasPrefix("@") { return String(first.dropFirst()) }
    return parts.count == 2 && parts[0] == "users" ? String(parts[1]) : nil
  }

  private static func isUserName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}

/// The reason a text does not name a server.
package struct ServerNameError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
  /// Whether the text is a known word, about which the description says everything.
  package let isAboutWord: Bool

  init(_ description: String, isAboutWord: Bool = false) {
    self.description = description
    self.isAboutWord = isAboutWord
  }
}
