internal import ControlProtocol

/// The environment and the client that an `EventDisplay` uses.
package struct DisplayContext: Sendable {
  package let environment: CommandEnvironment
  /// The client that sent the request.
  let client: ControlClient
  /// Whether standard output is reserved for the JSON result. The display then writes only to standard error.
  let isJSON: Bool
}
