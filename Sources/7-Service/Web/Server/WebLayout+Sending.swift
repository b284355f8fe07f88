internal import HTTP
internal import HTTPServer

extension WebLayout {
  /// Returns a response as it is sent.
  func response(_ made: WebResponse) -> Response {
    var response: Response
    switch made.content {
    case .page(let page): response = Self.html(page.status, html(of: page))
    case .part(let part, let status): response = Self.html(status, part)
    case .redirect(let address):
      response = Response(status: .seeOther, headers: WebHeaders.fields(nil, keeping: .never))
      response.headers.set("Location", address.fieldValue)
    case .file(let file):
      response = Response(status: .ok, headers: WebHeaders.fields(file.type, keeping: file.keeping))
      response.headers.set(.entityTag, file.tag.field)
    case .constant(let file):
      response = Response(status: .ok, headers: WebHeaders.fields(file.type, keeping: .forever), body: file.bytes)
    case .events:
      response = Response(status: .ok, headers: WebHeaders.fields("text/event-stream", keeping: .never))
    }
    if let cookie = made.cookie { response.headers.append("Set-Cookie", cookie) }
    return response
  }

  /// Sends a response.
  func send(_ made: WebResponse, to exchange: Exchange, for request: Request) {
    let response = response(made)
    switch made.content {
    case .file(let file):
      let response = response.tagged(file.tag, for: request)
      exchange.respond(response, file: response.status == .notModified ? nil : file.body)
    case .events(let begin): begin { ended in exchange.stream(response) { _ in ended() } }
    default: exchange.respond(response)
    }
  }

  private static func html(_ status: StatusCode, _ markup: Markup) -> Response {
    Response(
      status: status, headers: WebHeaders.fields("text/html; charset=utf-8", keeping: .never), body: markup.bytes)
  }
}
