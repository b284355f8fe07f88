/// The members of a server's metadata, before anyone has judged what they say.
struct MetadataDocument {
  private let members: AnswerMembers

  /// Reads an answer. Only a 200 is one (RFC 8414 §3.2).
  init(_ answer: Answer) throws(ServerMetadataError) {
    do throws(Unreadable) {
      if let status = answer.status, status != 200 { throw Unreadable(described: answer) }
      members = try AnswerMembers(answer)
    } catch {
      throw .unreadable(status: answer.status ?? 0, error.words)
    }
    if let name = members.doubled.min() { throw .doubled(PlainWords.cleaned(name.utf8, hiding: answer.hiding)) }
  }

  func text(_ name: String) throws(ServerMetadataError) -> String {
    guard let text = members.text(name) else { throw .missing(name) }
    return text
  }

  /// An endpoint, nil when it is not told. It has to be https; on this machine http will do, and a server elsewhere has no
  /// business sending us there.
  func endpoint(_ name: String, isLocal: Bool) throws(ServerMetadataError) -> RequestURL? {
    guard members[name] != nil else { return nil }
    let text = try text(name)
    let url: RequestURL
    do throws(RequestURLError) { url = try RequestURL(text) } catch { throw .badEndpoint(name, error) }
    guard url.isLoopback ? isLocal : url.isHTTPS else { throw .unsafeEndpoint(name) }
    return url
  }

  func texts(_ name: String) -> [String]? {
    guard case .texts(let texts)? = members[name] else { return nil }
    return texts
  }

  func flag(_ name: String) -> Bool { members[name] == .boolean(true) }
}
