import Foundation
import HomelineOAuth

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The HTTP client of this example; any other one does as well.
@Sendable func send(_ outgoing: OutgoingRequest) async throws -> OAuth.Response {
  var request = URLRequest(url: URL(string: outgoing.url)!)
  request.httpMethod = outgoing.method
  for field in outgoing.headers { request.setValue(field.value, forHTTPHeaderField: field.name) }
  if !outgoing.body.isEmpty { request.httpBody = Data(outgoing.body) }
  let (body, response) = try await URLSession.shared.data(for: request)
  return OAuth.Response(status: (response as? HTTPURLResponse)?.statusCode, body: Array(body))
}

/// Prints a line immediately, even if the output is not a terminal.
func say(_ line: String) {
  print(line)
  fflush(nil)
}
