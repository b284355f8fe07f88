internal import HTTP
internal import OAuthValues

/// The method and path of a request.
package struct ControlRoute: Sendable, Hashable {
  let method: RequestMethod
  /// The path. A segment in braces is a parameter, as in `/v1/logins/{login}/input`.
  package let path: String
  /// The name of the only parameter that the query may contain; nil if the route accepts no query.
  let queryParameter: String?

  package static func get(_ path: String, queryParameter: String? = nil) -> ControlRoute {
    ControlRoute(method: .get, path: path, queryParameter: queryParameter)
  }

  package static func post(_ path: String) -> ControlRoute {
    ControlRoute(method: .post, path: path, queryParameter: nil)
  }

  /// Returns the request target with these parameter values.
  func target(_ parameters: [String: String]) -> String {
    let path = Self.segments(path).map { segment in
      "/" + (Self.parameterName(segment).map { parameters[$0] ?? "" } ?? String(segment))
    }.joined()
    guard let name = queryParameter, let value = parameters[name] else { return path }
    return "\(path)?\(name)=\(PercentEncoding.encode(value))"
  }

  /// Returns the values of the path's parameters; nil if the path belongs to a different route.
  func match(_ path: String) -> [String: String]? {
    let (expected, found) = (Self.segments(self.path), Self.segments(path))
    guard expected.count == found.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, text) in zip(expected, found) {
      if let name = Self.parameterName(segment) {
        guard Self.isParameterValue(text) else { return nil }
        parameters[name] = String(text)
      } else if segment != text {
        return nil
      }
    }
    return parameters
  }

  /// Reads the query of a request to this route.
  func value(ofQuery query: String?, at path: String) throws(ControlError) -> [String: String] {
    guard let query else { return [:] }
    guard let name = queryParameter else {
      throw ControlError(.badRequest, "\(path) accepts no query; put the parameters into the content, as JSON")
    }
    if query.isEmpty { return [:] }
    let parts = query.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == name, !parts[1].contains("&") else {
      throw ControlError(.badRequest, "the query must be \(name)=VALUE, and nothing else")
    }
    guard let value = try? PercentEncoding.decode(String(parts[1])) else {
      throw ControlError(.badRequest, "the \(name) in the query has an invalid percent escape")
    }
    return [name: String(decoding: value, as: UTF8.self)]
  }

  private static func segments(_ path: String) -> ArraySlice<Substring> {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
  }

  private static func parameterName(_ segment: Substring) -> String? {
    segment.hasPrefix("{") && segment.hasSuffix("}") ? String(segment.dropFirst().dropLast()) : nil
  }

  /// Returns whether the text can be a path segment without escapes.
  private static func isParameterValue(_ text: Substring) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
