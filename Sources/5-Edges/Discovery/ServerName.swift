internal import Bytes
internal import HomelineOAuth
internal import Settings

/// A server as the user names it: `social.example`, `@me@social.example`, an address, or a provider such as `x`. The name may contain
/// non-ASCII letters.
package enum ServerName: Sendable, Hashable {
  /// A provider with its own servers, where the user registers an application.
  case provider(String)
  /// An address, and the user's name if one was given.
  case server(ServerAddress, user: String?)

  /// - Throws: ``ServerNameError`` with the reason.
  package init(_ text: String) throws(ServerNameError) {
    if let provider = ProviderDefaults.byServerName[text.lowercased()] {
      self = .provider(provider)
      return
    }
    if let word = ServerWord(text) { throw ServerNameError(word.advice, isComplete: true) }
    var rest = Substring(text)
    var user: Substring?
    if !text.contains("://"), let at = text.prefix(while: { $0 != "/" }).lastIndex(of: "@") {
      user = rest[..<at].drop { $0 == "@" }
      if let name = user, name.hasPrefix("acct:") { user = name.dropFirst(5) }
      rest = rest[text.index(after: at)...]
    }
    let (url, shown) = try Self.address(rest.contains("://") ? "\(rest)" : "https://\(rest)")
    guard url.isHTTPS || url.isLoopback else {
      throw ServerNameError("plain http is allowed only for this machine: use https")
    }
    let host = url.host.hasPrefix("www.") ? String(url.host.dropFirst(4)) : url.host
    if let provider = ProviderDefaults.byServerName[host] {
      self = .provider(provider)
      return
    }
    if let word = ServerWord(host) { throw ServerNameError(word.advice, isComplete: true) }
    guard url.host.contains(".") || url.host.contains(":") || url.isLoopback else {
      throw ServerNameError("a server has a name such as social.example")
    }
    let (page, folder) = Self.user(in: url.path)
    let name = user.map { String($0) } ?? page
    self = .server(
      ServerAddress(url.at(path: folder), shownAs: shown), user: name.flatMap { Self.isUserName($0) ? $0 : nil })
  }

  /// Parses a typed address. Like a browser, it percent-encodes non-ASCII letters in the path.
  /// - Returns: the address, and its host and port as shown.
  private static func address(_ text: String) throws(ServerNameError) -> (RequestURL, shown: String) {
    let ascii: String
    do throws(DomainNameError) { ascii = try DomainName.addressInASCII(text) } catch {
      throw ServerNameError("\(error)", isComplete: true)
    }
    let encoded = ascii.unicodeScalars.map { $0.isASCII ? String($0) : OAuth.PercentEncoding.encode(String($0)) }
    do throws(RequestURLError) {
      let url = try RequestURL(encoded.joined())
      let isConverted = !ascii.utf8.elementsEqual(text.utf8)
      return (url, isConverted ? DomainName.shown(url.authority) : url.authority)
    } catch {
      switch error {
      case .unsupportedScheme, .badPort, .tooLong: throw ServerNameError("\(error)")
      default: throw ServerNameError("a server has a name such as social.example")
      }
    }
  }

  /// Finds the user whose page has this path, such as `/@me`, `/users/me` or `/social/@me`.
  /// - Returns: the user, if the path names one, and the folder above the page; otherwise the path itself.
  static func user(in path: String) -> (String?, folder: String) {
    let parts = path.split(separator: "/")
    if let index = parts.firstIndex(where: { $0.hasPrefix("@") }) {
      return (String(parts[index].dropFirst()), "/" + parts[..<index].joined(separator: "/"))
    }
    if parts.count > 1, parts[parts.count - 2] == "users" {
      return (String(parts[parts.count - 1]), "/" + parts.dropLast(2).joined(separator: "/"))
    }
    return (nil, path)
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
