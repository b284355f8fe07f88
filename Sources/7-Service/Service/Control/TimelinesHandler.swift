internal import Accounts
package import ControlProtocol
internal import HTTP
internal import Platform
internal import Settings
internal import Timeline

extension TimelinesRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    let account = try context.account(account)
    let name = account.name.text
    if !account.hasTimeline() {
      throw ControlError(
        .badRequest, "\(name): the account has no timelines, because its provider \(account.provider) has none")
    }
    responder.openStream()
    responder.begin(about: name) { () throws(OperationError) in
      try context.accountManager.timelines(offeredTo: account) { result in
        switch result {
        case .failure(let failure): responder.end(.failure(failure), account: name)
        case .success(let offers):
          for offer in offers { responder.send(TimelineEvent(offer, account: name)) }
          if offers.count == 1 {
            responder.send(
              NoticeEvent("\(name): homeline supports only the home timeline of the provider \(account.provider)"))
          }
          responder.end(EndEvent(offers))
        }
      }
    }
  }
}

extension TimelineEvent {
  fileprivate init(_ offer: TimelineOffer, account: String) {
    let isForm = if case .kind = offer.subject { true } else { false }
    self.init(
      account: account, timeline: offer.name, isForm: isForm, kind: offer.kind.rawValue, state: State(offer.state),
      configured: offer.configured?.description, scope: offer.scope, message: offer.message)
    title = offer.title
    id = offer.id
    isExclusive = offer.isExclusive
    isFollowed = offer.isFollowed
  }
}

extension TimelineEvent.State {
  fileprivate init(_ state: TimelineOffer.State) {
    self =
      switch state {
      case .offered: .offered
      case .missing: .missing
      case .switchedOff: .switchedOff
      case .notPermitted: .notPermitted
      case .unknown: .unknown
      }
  }
}

extension EndEvent {
  /// Creates the end of the response. A server's refusal is an answer; only a request that got none is a failure.
  fileprivate init(_ offers: [TimelineOffer]) {
    let failures = offers.compactMap(\.failure)
    self.init(
      exit: failures.reduce(.done) { $0.worse($1.exitCode) }, retryAt: failures.compactMap(\.retryAt).min())
  }
}
