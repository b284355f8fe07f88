package import HTTP
internal import HTTPServer

/// The response to a request, without the header fields that all responses have.
package struct WebResponse: Sendable {
  /// Begins a stream of events. Its parameter begins the response, whose own parameter is called when the response has ended.
  typealias StreamBeginning = @Sendable (_ begin: (@escaping @Sendable () -> Void) -> ResponseStream) -> Void

  enum Content: Sendable {
    case page(WebPage)
    /// A part of a page, for the script.
    case part(Markup, StatusCode)
    /// A redirect (303) to another page.
    case redirect(WebAddress)
    /// Bytes that never change under this address.
    case constant(StaticFile)
    case file(FileResponse)
    /// Events as they happen.
    case events(StreamBeginning)
  }

  private(set) var content: Content
  /// The cookie to set; nil for none.
  var cookie: FieldValue?

  private init(_ content: Content) { self.content = content }

  package static func page(_ page: WebPage) -> WebResponse { WebResponse(.page(page)) }

  /// A part of a page, from the same function as on the page.
  package static func part(_ part: Markup, status: StatusCode = .ok) -> WebResponse {
    WebResponse(.part(part, status))
  }

  package static func redirect(to address: WebAddress) -> WebResponse { WebResponse(.redirect(address)) }

  /// Returns the response with a message above the page's content, if it is a page.
  func saying(_ message: PageMessage?) -> WebResponse {
    guard let message, case .page(var page) = content else { return self }
    var response = self
    page.message = message
    response.content = .page(page)
    return response
  }

  static func file(_ file: FileResponse) -> WebResponse { WebResponse(.file(file)) }

  static func events(_ begin: @escaping StreamBeginning) -> WebResponse { WebResponse(.events(begin)) }

  static func constant(_ file: StaticFile) -> WebResponse { WebResponse(.constant(file)) }
}
