internal import HTTP

/// One entry of the table of pages: a method, a path, and the function that answers.
struct Route: Sendable {
  /// Called on a separate queue, where it may wait for a database.
  typealias Handler = @Sendable (WebRequest) throws(WebError) -> WebResponse
  /// Called on a separate queue. It starts work that may take long, does not wait for it, and passes the reply on.
  typealias StartingHandler = @Sendable (WebRequest, WebReply) throws(WebError) -> Void

  /// How the response is made.
  enum Answer: Sendable {
    case now(Handler)
    case later(StartingHandler)
  }

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
  let answer: Answer
  /// How a form with files is received; nil for other forms, which are short.
  let upload: Upload?

  /// How a form with files is received.
  struct Upload: Sendable {
    /// The folder for the content while it arrives.
    let folder: String
    /// The maximum length of the content in bytes.
    let limit: Int
    /// Called on a separate queue with a form that a browser without a session has sent over loopback: keeps what the user wrote, and
    /// returns the advice for the page.
    let keep: @Sendable (WebRequest) -> [String]
  }

  private init(
    _ methods: [RequestMethod], _ pattern: PathPattern, _ access: Access, _ answer: Answer, _ upload: Upload? = nil
  ) {
    self.methods = methods
    self.pattern = pattern
    self.access = access
    self.answer = answer
    self.upload = upload
  }

  /// A page. A HEAD request gets the same response without content.
  static func get(
    _ pattern: PathPattern, for access: Access = .session, _ handler: @escaping Handler
  ) -> Route {
    Route(
      [.get, .head], pattern, access,
      .now { (request) throws(WebError) in
        let message = try PageMessage(request.query)
        return try handler(request).saying(message)
      })
  }

  /// A page about which the service has to be asked.
  static func get(_ pattern: PathPattern, _ handler: @escaping StartingHandler) -> Route {
    Route([.get, .head], pattern, .session, .later(handler))
  }

  /// A page whose request has an effect, so that HEAD is refused.
  static func getOnly(_ pattern: PathPattern, for access: Access, _ handler: @escaping Handler) -> Route {
    Route([.get], pattern, access, .now(handler))
  }

  /// A form.
  static func post(_ pattern: PathPattern, _ handler: @escaping Handler) -> Route {
    Route([.post], pattern, .session, .now(handler))
  }

  /// A form whose change may take long. Nobody waits for it: the handler's reply is given later, from any queue.
  static func post(_ pattern: PathPattern, _ handler: @escaping StartingHandler) -> Route {
    Route([.post], pattern, .session, .later(handler))
  }

  /// A form with files.
  static func post(_ pattern: PathPattern, _ upload: Upload, _ handler: @escaping StartingHandler) -> Route {
    Route([.post], pattern, .session, .later(handler), upload)
  }
}
