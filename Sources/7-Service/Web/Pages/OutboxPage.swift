internal import ControlProtocol
internal import Formats
internal import HTTP
internal import Platform
internal import Settings
internal import Time
internal import Timeline

/// `/outbox`: the posts that `homeline outbox` lists, and what can be done with them.
struct OutboxPage: Sendable {
  /// The part of the page that the script fetches alone.
  static let part = "outbox"

  let data: WebData
  let changes: WebChanges

  var routes: [Route] {
    [
      .get("/outbox") { [self] (request, reply) throws(WebError) in try list(request, reply) },
      .post("/outbox") { [self] (request, reply) throws(WebError) in try change(request, reply) },
    ]
  }

  // MARK: The list

  private func list(_ request: WebRequest, _ reply: WebReply) throws(WebError) {
    try request.query.check(names: [], part: Self.part)
    let status = request.query["done"].flatMap { OutboxStatus(rawValue: $0) }
    let isPart = request.wants(part: Self.part)
    changes.carryOut(OutboxRequest(account: nil, .list)) { outcome in
      reply { () throws(WebError) in
        if let failure = outcome.failure(at: data.clock.now) {
          throw WebError("The outbox cannot be listed", failure, way: .home)
        }
        let list = OutboxList(outcome.events, at: data.clock.now).html
        if isPart { return .part(list) }
        var page = WebPage("Outbox", at: .outbox, Self.line(status) + list)
        page.live = .outbox
        return .page(page)
      }
    }
  }

  private static func line(_ status: OutboxStatus?) -> Markup {
    status.map { "<p class=\"notice\($0.isBad ? "" : " good")\" role=\"status\">\($0.sentence)</p>\n" } ?? ""
  }

  // MARK: Changes

  private func change(_ request: WebRequest, _ reply: WebReply) throws(WebError) {
    let form = request.form
    guard let id = form["id"], let account = form["account"] else { throw .noAction }
    let action: OutboxRequest.Action
    switch form["do"] {
    case "retry": action = .retry(id)
    case "discard": action = .discard(id)
    default: throw .noAction
    }
    let isConfirmed = form["confirmed"] != nil
    changes.carryOut(OutboxRequest(account: account, action, isConfirmed: isConfirmed)) { outcome in
      reply { () throws(WebError) in
        if let post = outcome.events.lazy.compactMap({ $0 as? OutboxEvent }).last {
          return .redirect(to: .outbox(OutboxStatus(post), at: id))
        }
        switch outcome.end {
        case .underWay: return .redirect(to: .outbox(.sending, at: id))
        case .response(.end(let end)) where end.question == .confirmCost:
          return .page(Self.question(id, account, cost: end.cost ?? 0))
        default:
          guard let failure = outcome.failure(at: data.clock.now) else {
            return .redirect(to: .outbox(.waiting, at: id))
          }
          let title = action == .retry(id) ? "The post was not sent again" : "The post is still in the outbox"
          throw WebError(title, failure, way: .outbox)
        }
      }
    }
  }

  /// The page that asks the user to agree to the cost of another attempt.
  private static func question(_ id: String, _ account: String, cost: Int64) -> WebPage {
    WebPage(
      "Post for this price?", at: .outbox,
      """
      <p>Sending this post again costs \(MicroUSD.text(cost)) USD, which is more than the account's <code>confirm_above_usd</code>.</p>
      <form method="post" action="/outbox"><input type="hidden" name="account" value="\(account)">\
      <input type="hidden" name="id" value="\(id)"><input type="hidden" name="confirmed" value="1">\
      <p class="buttons"><button name="do" value="retry">Post for \(MicroUSD.text(cost)) USD</button> \
      <a href="\(WebAddress("outbox").text)">Back to the outbox</a></p></form>

      """)
  }
}

extension WebError {
  fileprivate static let noAction = WebError(
    .badRequest, "This is no action", "Use the buttons of the page.", way: .outbox)
}

extension WebError.Way {
  fileprivate static let outbox = WebError.Way(WebAddress("outbox"), "The outbox")
}
