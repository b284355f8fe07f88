/// The rules about `Host` in a request (RFC 9112 §3.2).
enum HostField {
  /// Refuses a request of HTTP/1.1 that does not have exactly one, any with several, and any with a malformed one.
  static func judge(_ request: Request) throws(RequestRefusal) {
    let hosts = request.headers.all(.host)
    guard let host = hosts.first else {
      guard request.version == .http10 else { throw RequestRefusal(.badRequest, "a request needs a Host field") }
      return
    }
    guard hosts.count == 1 else { throw RequestRefusal(.badRequest, "several Host fields") }
    guard Authority(host) != nil else { throw RequestRefusal(.badRequest, "the Host field is malformed") }
  }
}
