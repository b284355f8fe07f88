internal import HTTP

/// One entry of the table of pages: a method, a path, and the function that answers.
struct Route: Sendable {
  /// Called on a separate queue, where it may wait for a database.
  typealias Handler = @Sendable (WebRequest) throws(WebError) -> WebResponse

  /// Who may send the request.
  enum Access: Sendable {
    /// Every program of this user. The handler checks a secret in the address, or the response reveals nothing.
    case program
    /// A browser with a session.
    case session
  }

  let methods: [RequestMethod]
  let pattern: PathPattern
  let access: Access
  let handler: Handler

  private init(_ methods: [RequestMethod], _ pattern: PathPattern, _ access: Access, _ handler: @escaping Handler) {
    self.methods = methods
    self.pattern = pattern
    self.access = access
    self.handler = handler
  }

  /// A page. A HEAD request gets the same response without content.
  static func get(
    _ pattern: PathPattern, for access: Access = .session, _ handler: @escaping Handler
  ) -> Route { Route([.get, .head], pattern, access, handler) }

  /// A page whose request has an effect, so that HEAD is refused.
  static func getOnly(_ pattern: PathPattern, for access: Access, _ handler: @escaping Handler) -> Route {
    Route([.get], pattern, access, handler)
  }

  /// A form.
  static func post(_ pattern: PathPattern, _ handler: @escaping Handler) -> Route {
    Route([.post], pattern, .session, handler)
  }
}
