/// Requests the status of the state owner and of its accounts. The response is a `ControlStatus`.
package struct StatusRequest: ControlRequest {
  package static let route = ControlRoute.get("/v1/status", queryParameter: "account")
  package static var response: ControlResponseForm { .document }

  /// An account, or `ACCOUNT/TIMELINE` for an account with only this one of its `timelines`; nil means all accounts.
  package var account: String?

  init(account: String? = nil) { self.account = account }

  package init(_ received: ReceivedRequest) throws(ControlError) { account = received.parameters["account"] }

  package var parameters: [String: String] { account.map { ["account": $0] } ?? [:] }
}

extension ControlClient {
  /// Requests the status of the state owner.
  /// - Parameter timeout: the time limit for the whole response.
  package func status(of account: String? = nil, timeout: Duration) throws(ControlClientError) -> ControlStatus {
    let document = try document(of: StatusRequest(account: account), timeout: timeout)
    do throws(ControlFormatError) { return try ControlStatus(json: document) } catch { throw .malformed("\(error)") }
  }
}
