internal import Benchmarking
internal import CallbackListener
internal import Dispatch
internal import Glibc
internal import HTTP
internal import HTTPServer
internal import Login
internal import Platform
internal import Service
internal import Time

/// `listener --port P [CONNECTIONS]` runs the callback listener as during a login, with its limits, rules and pages
/// (`CallbackServer`). Unlike during a login, every callback gets the final page at once, so that a load generator can
/// request it repeatedly. CONNECTIONS is the maximum number of connections; the default is the limit of the callback
/// port.
enum ListenerEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    guard try arguments.next("--port") == "--port" else { throw BenchFailure.usage("--port is missing") }
    let number = try arguments.nextCount("P")
    let connections = arguments.isAtEnd ? nil : try arguments.nextCount("CONNECTIONS")
    try arguments.end()
    guard let port = UInt16(exactly: number) else { throw BenchFailure.usage("\(number) is not a valid port") }
    if connections != nil { OpenFileLimit.raise() }
    let server = try start(at: port, connections)
    withExtendedLifetime(server) { dispatchMain() }
  }

  private static func start(at port: UInt16, _ connections: Int?) throws -> Server {
    let date = DateField(.system)
    let rules = CallbackRules(path: "/callback", port: port)
    let page = CallbackPage(
      "You are logged in", "This window can be closed.",
      "homeline fetches your home timeline from now on; it lies where its documentation says.")
    var configuration = ServerConfiguration(
      limits: .callback, peers: .sameUserOverTCP(unknown: .accepted), date: { date.current })
    if let connections { configuration.maximumConnections = connections }
    let server = Server(
      try ListeningSockets.loopback(port: port, host: .literal), on: DispatchQueue(label: "homeline.callback"),
      configuration: configuration
    ) { request, exchange in
      switch rules.decide(request) {
      case .refuse(let status, let page): exchange.respond(page.response(status, for: "homeline"))
      case .result: exchange.respond(page.response(.ok, for: "homeline"))
      case .callback(let query, _, _):
        guard case .granted = CallbackQuery(query).callback else {
          return exchange.respond(
            CallbackPage("This is not a provider's response").response(.badRequest, for: "homeline"))
        }
        exchange.respond(page.response(.ok, for: "homeline"))
      }
    }
    try server.start()
    return server
  }
}
