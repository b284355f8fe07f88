internal import HTTP
internal import HTTPServer

/// A request for a page that its sender may see.
package struct WebRequest: Sendable {
  /// The address without its query.
  package let address: WebAddress
  /// The values in the query.
  package let query: WebQuery
  /// The values in the content of a form; none for GET.
  package let form: WebQuery
  /// The content as it was sent.
  package let content: WebContent
  /// The decoded components of the path that the route's pattern names.
  private let parameters: [String: String]
  /// The browser's session; nil if it has none, which only some routes allow.
  let session: WebSession?
  let origin: ServedOrigin
  /// Whether the user will see the response as a page; see ``FetchMetadata``.
  let isNavigation: Bool
  /// Whether a script may read the response; see ``FetchMetadata``.
  let isFromScript: Bool
  /// Whether the connection belongs to this process's user, and not to root.
  let isOwn: Bool

  /// What the server knows about a request before its content is decoded.
  struct Sender: Sendable {
    var session: WebSession?
    var origin: ServedOrigin
    var isNavigation: Bool
    var isFromScript = false
    var isOwn: Bool
  }

  /// - Parameters:
  ///   - file: the content, if it is too long for the request.
  ///   - refusal: what is left of content that was refused.
  /// - Throws: status 400 or 415 if the query or the content is not form data.
  init(
    _ request: Request, _ file: ReceivedFile? = nil, _ refusal: ContentRefusal? = nil, at path: WebPath,
    _ parameters: [String: String],
    from sender: Sender
  ) throws(WebError) {
    address = WebAddress(path)
    query = try WebQuery(received: request.target.query)
    content = WebContent(request, file, refusal)
    form = try request.body.isEmpty || content.isMultipart ? WebQuery() : Self.form(request)
    self.parameters = parameters
    session = sender.session
    origin = sender.origin
    isNavigation = sender.isNavigation
    isFromScript = sender.isFromScript
    isOwn = sender.isOwn
  }

  private static func form(_ request: Request) throws(WebError) -> WebQuery {
    // Scripts add the charset, which is always UTF-8.
    let type = request.headers.first(.contentType)?.prefix { $0 != ";" }
    guard type == "application/x-www-form-urlencoded" else {
      throw WebError(StatusCode(415), "This content is not a form", "Use the buttons of homeline's pages.")
    }
    do throws(WebError) { return try WebQuery(request.body) } catch {
      var error = error
      error.title = "This form cannot be read"
      throw error
    }
  }

  /// The component with this name in the route's pattern, such as `name` in `/v/{name}`. A name that the pattern lacks traps.
  package subscript(parameter name: String) -> String {
    guard let value = parameters[name] else { preconditionFailure("the route's pattern has no {\(name)}") }
    return value
  }

  /// Whether the response is only the part of the page with this name, for the script (`?part=NAME`).
  package func wants(part name: String) -> Bool { query["part"] == name }
}
