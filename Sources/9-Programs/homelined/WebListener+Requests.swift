internal import Accounts
internal import ControlProtocol
internal import Web

extension WebListener {
  /// Carries out a control request.
  func carryOut(_ action: WebPageRequest.Action) throws(OperationError) -> WebPageEvent {
    switch action {
    case .open: return WebPageEvent(try open(isPrinted: false))
    case .print: return WebPageEvent(try open(isPrinted: true))
    case .close:
      if case .closed(let page) = try close() { return WebPageEvent(page: page) }
      return WebPageEvent(page: nil)
    case .forget: return WebPageEvent(page: nil, forgotten: try forget())
    }
  }
}

extension WebPageEvent {
  fileprivate init(_ opening: WebListener.Opening) { self.init(page: opening.page, entries: opening.entries) }
}
