package import HTTP

/// Finds the type of a received request.
package enum RequestReader {
  /// Decodes an HTTP request as one of these types. The content type is not checked, so that `curl -d` works.
  package static func read(
    _ request: Request, among types: [any ControlRequest.Type]
  ) throws(ControlError) -> any ControlRequest {
    let path = request.target.path
    for type in types {
      let route = type.route
      guard let parameters = route.match(path) else { continue }
      guard request.method == route.method else {
        throw ControlError(.methodNotAllowed, "\(path) accepts \(route.method) only", allowed: route.method)
      }
      let query = try route.value(ofQuery: request.target.query, at: path)
      return try type.init(ReceivedRequest(parameters: parameters.merging(query) { $1 }, body: request.body))
    }
    throw ControlError(.notFound, "\(path) does not exist")
  }
}
