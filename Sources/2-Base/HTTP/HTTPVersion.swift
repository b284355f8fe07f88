/// The supported versions of HTTP (RFC 9112 §2.3).
package enum HTTPVersion: String, Sendable {
  case http10 = "HTTP/1.0"
  case http11 = "HTTP/1.1"
}
