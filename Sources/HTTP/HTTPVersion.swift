/// The versions of HTTP that are spoken here (RFC 9112 §2.3).
package enum HTTPVersion: String, Sendable {
  case http10 = "HTTP/1.0"
  case http11 = "HTTP/1.1"
}
