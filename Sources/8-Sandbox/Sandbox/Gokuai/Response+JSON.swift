internal import HTTP
internal import JSON

extension Response {
  /// Returns a JSON object.
  static func json(_ status: StatusCode = .ok, _ members: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    writer.object(members)
    return Response(json: writer.bytes, status: status)
  }
}
