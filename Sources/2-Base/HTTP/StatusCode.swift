/// The status code of a response (RFC 9110 §15).
package struct StatusCode: Hashable, Sendable {
  /// The number, from 100 to 599.
  package let code: Int

  package init(_ code: Int) {
    precondition((100...599).contains(code), "a status code must be between 100 and 599")
    self.code = code
  }

  package static let ok = StatusCode(200)
  package static let noContent = StatusCode(204)
  package static let found = StatusCode(302)
  package static let seeOther = StatusCode(303)
  package static let notModified = StatusCode(304)
  package static let badRequest = StatusCode(400)
  package static let unauthorized = StatusCode(401)
  package static let forbidden = StatusCode(403)
  package static let notFound = StatusCode(404)
  package static let methodNotAllowed = StatusCode(405)
  package static let requestTimeout = StatusCode(408)
  package static let conflict = StatusCode(409)
  package static let contentTooLarge = StatusCode(413)
  package static let uriTooLong = StatusCode(414)
  package static let misdirectedRequest = StatusCode(421)
  package static let tooManyRequests = StatusCode(429)
  package static let requestHeaderFieldsTooLarge = StatusCode(431)
  package static let internalServerError = StatusCode(500)
  package static let notImplemented = StatusCode(501)
  package static let badGateway = StatusCode(502)
  package static let serviceUnavailable = StatusCode(503)
  package static let httpVersionNotSupported = StatusCode(505)
  package static let insufficientStorage = StatusCode(507)

  /// Whether a response with this status never has content (RFC 9112 §6.3, rule 1).
  package var excludesBody: Bool { code < 200 || self == .noContent || self == .notModified }

  /// The reason phrase from RFC 9110 §15, RFC 6585 and RFC 4918; empty for other codes.
  package var reasonPhrase: String {
    switch code {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 203: "Non-Authoritative Information"
    case 204: "No Content"
    case 205: "Reset Content"
    case 206: "Partial Content"
    case 300: "Multiple Choices"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
  }
}

extension StatusCode: CustomStringConvertible {
  package var description: String {
    let phrase = reasonPhrase
    return phrase.isEmpty ? String(code) : "\(code) \(phrase)"
  }
}
