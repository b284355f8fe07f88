package import Bytes

/// An address as users write it: its host may contain non-ASCII letters, which are sent as A-labels.
package enum WrittenURL {
  /// Parses an address.
  /// - Throws: ``WrittenURLError``.
  package static func url(_ text: String) throws(WrittenURLError) -> RequestURL {
    let ascii = try inASCII(text)
    do throws(RequestURLError) { return try RequestURL(ascii) } catch { throw WrittenURLError("\(error)") }
  }

  /// Returns an address, or a host with an optional port, with its host in the form that is sent. Everything else is unchanged.
  package static func inASCII(_ text: String) throws(WrittenURLError) -> String {
    do throws(DomainNameError) { return try DomainName.addressInASCII(text) } catch {
      throw WrittenURLError("\(error)")
    }
  }

  /// Returns a host without a scheme, port or path, in the form used in URLs; nil if the text is not a host.
  static func host(_ text: String) -> String? {
    guard let ascii = try? inASCII(text), let url = try? RequestURL("https://\(ascii)/"), url.port == nil,
      url.path == "/", url.query == nil, url.host.utf8.elementsEqual(ascii.lowercased().utf8)
    else { return nil }
    return url.host
  }
}
