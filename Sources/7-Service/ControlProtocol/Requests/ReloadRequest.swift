/// Reloads the configuration.
package struct ReloadRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/reload")
  package static var response: ControlResponseForm { .events([]) }

  package init() {}
}

extension ReloadRequest {
  package init(_ received: ReceivedRequest) throws(ControlError) { try received.members { _, _ in false } }
}
