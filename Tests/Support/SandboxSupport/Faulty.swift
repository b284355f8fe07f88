package import HTTP
package import Sandbox
package import Time

/// A simulated provider with faults, which tests use to break its next responses. It also has the provider's own properties.
@dynamicMemberLookup
package struct Faulty<Provider: SimulatedProvider>: SimulatedProvider {
  package var provider: Provider
  package var faults = FaultQueue()
  /// The objects that X's v2 API has delivered so far.
  package private(set) var delivered = DeliveryCount()

  package init(_ provider: Provider) { self.provider = provider }

  package subscript<Value>(dynamicMember path: WritableKeyPath<Provider, Value>) -> Value {
    get { provider[keyPath: path] }
    set { provider[keyPath: path] = newValue }
  }

  package subscript<Value>(dynamicMember path: KeyPath<Provider, Value>) -> Value { provider[keyPath: path] }

  package mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    let fault = faults.next(for: request.target.path)
    var request = request
    if case .alter(let change) = fault { change(&request) }
    return SimulatedResponse(fault) {
      let response = provider.response(to: request, at: now)
      delivered.count(response.response, to: request)
      return response
    }
  }

  package func clock(at now: Timestamp) -> Timestamp { provider.clock(at: now) }
  package var revokedTokens: Set<String> { provider.revokedTokens }
  package var bodyLimit: Int { provider.bodyLimit }
  package func uploadedFile(_ key: String) -> UploadedFile? { provider.uploadedFile(key) }
}

/// The faults of the next responses, for each path.
package struct FaultQueue: Sendable {
  private var queued: [String: [(fault: SandboxFault, times: Int)]] = [:]

  package init() {}

  /// Breaks the next `times` responses to requests for a path, after the responses that earlier faults affect.
  /// - Parameter path: the path without a query.
  package mutating func add(_ fault: SandboxFault, to path: String, times: Int = 1) {
    if times > 0 { queued[path, default: []].append((fault, times)) }
  }

  package mutating func add(_ fault: SandboxFault, to route: TwitterRoute, times: Int = 1) {
    add(fault, to: route.path, times: times)
  }

  package mutating func removeAll() { queued = [:] }

  /// Removes and returns the fault of the next response to a request for a path.
  package mutating func next(for path: String) -> SandboxFault? {
    guard var first = queued[path]?.first else { return nil }
    first.times -= 1
    if first.times > 0 { queued[path]?[0] = first } else { queued[path]?.removeFirst() }
    return first.fault
  }
}
