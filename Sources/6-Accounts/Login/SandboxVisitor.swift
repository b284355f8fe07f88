package import Accounts
internal import Bytes
internal import Dispatch
internal import HTTP
package import HTTPClient

/// Acts as the user and the browser at the simulated provider: presses "Authorise" and follows the redirect.
///
/// The visitor sends the same requests as a browser: it submits the provider's form, follows the redirect to the callback listener, and
/// fetches the final page.
package struct SandboxVisitor: Sendable {
  private let client: Client
  private let queue = DispatchQueue(label: "homeline.visitor")

  package init(client: Client) { self.client = client }

  /// Authorises the application at the simulated provider.
  /// - Parameters:
  ///   - address: the authorisation page, with the request token in its query.
  ///   - completion: receives the title of the last page, or the reason it could not be reached.
  package func authorise(at address: String, completion: @escaping @Sendable (Result<String, OperationError>) -> Void) {
    guard let mark = address.firstIndex(of: "?") else {
      return completion(.failure(OperationError(.bug, "the authorisation address has no request token")))
    }
    let form = address[address.index(after: mark)...] + "&action=allow"
    let request = ClientRequest(
      method: .post, url: String(address[..<mark]), headers: [.contentType: "application/x-www-form-urlencoded"],
      body: Array(form.utf8))
    follow(request, redirectsLeft: 4, completion)
  }

  private func follow(
    _ request: ClientRequest, redirectsLeft: Int,
    _ completion: @escaping @Sendable (Result<String, OperationError>) -> Void
  ) {
    client.send(request, on: queue) { result in
      switch result {
      case .failure(let error): completion(.failure(OperationError(.unavailable, "\(error)")))
      case .success(let response):
        guard (300..<400).contains(response.status.code), let location = response.headers.first("Location") else {
          return completion(.success(SandboxVisitor.title(of: response)))
        }
        guard redirectsLeft > 0, let next = SandboxVisitor.resolve(location, against: request.url) else {
          return completion(.failure(OperationError(.bug, "the redirect has no usable target")))
        }
        follow(ClientRequest(method: .get, url: next), redirectsLeft: redirectsLeft - 1, completion)
      }
    }
  }

  /// Resolves the target of a redirect, which is an absolute address or a path on the same server (RFC 9110 §10.2.2).
  private static func resolve(_ location: String, against base: String) -> String? {
    if location.hasPrefix("http://") { return location }
    guard location.hasPrefix("/"), let origin = try? RequestURL(base).origin else { return nil }
    return origin + location
  }

  private static func title(of response: Response) -> String {
    let html = String(decoding: response.body, as: UTF8.self)
    guard let start = html.firstRange(of: "<h1>"), let end = html[start.upperBound...].firstRange(of: "</h1>") else {
      return "status \(response.status.code)"
    }
    return String(html[start.upperBound..<end.lowerBound])
  }
}
