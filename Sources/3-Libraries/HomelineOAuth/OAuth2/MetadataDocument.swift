internal import Bytes
internal import OAuthValues

/// The members of a server's metadata document.
struct MetadataDocument {
  private let members: ResponseMembers

  /// Parses a response, whose status must be 200 (RFC 8414 §3.2).
  init(_ response: OAuth.Response) throws(ServerMetadataError) {
    do throws(ResponseFormatError) {
      if let status = response.status, status != 200 { throw ResponseFormatError(describing: response) }
      members = try ResponseMembers(response)
    } catch {
      throw .unreadable(status: response.status ?? 0, error.message)
    }
    if let name = members.duplicates.min() {
      throw .duplicateMember(ProviderText.cleaned(name.utf8, hiding: response.hiding))
    }
  }

  func text(_ name: String) throws(ServerMetadataError) -> String {
    guard let text = members.text(name) else { throw .missing(name) }
    return text
  }

  /// Returns an endpoint; nil if it is not listed. The endpoint must use https, unless it is on this machine. Only a server on this machine
  /// may list endpoints on this machine.
  func endpoint(_ name: String, isLocal: Bool) throws(ServerMetadataError) -> RequestURL? {
    guard members[name] != nil else { return nil }
    let text = try text(name)
    let url: RequestURL
    do throws(RequestURLError) { url = try RequestURL(text) } catch { throw .badEndpoint(name, error) }
    guard url.isLoopback ? isLocal : url.isHTTPS else { throw .unsafeEndpoint(name, url) }
    return url
  }

  func texts(_ name: String) -> [String]? {
    guard case .texts(let texts)? = members[name] else { return nil }
    return texts
  }

  func flag(_ name: String) -> Bool { members[name] == .boolean(true) }
}
