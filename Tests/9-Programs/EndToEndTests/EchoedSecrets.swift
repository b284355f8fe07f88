import Platform
import TestSupport

/// Error responses that repeat secrets in every field that homeline quotes.
struct EchoedSecrets {
  /// Returns the encoded forms of a secret that must not appear.
  static func forms(of secret: String) -> [String] {
    var encoded = ""
    for byte in secret.utf8 {
      let isPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      encoded += isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
    }
    return [secret, encoded, base64(secret), base64("client:" + secret)]
  }

  /// Returns one string for each secret, which contains all forms of the secret and fits into a displayed error.
  static func texts(of secrets: [String]) -> [String] {
    // An error message shows at most 300 characters, so each secret has its own response.
    secrets.map { "no " + forms(of: $0).joined(separator: " , ") }
  }

  /// Responses that quote the text, each in a different field.
  static func responses(quoting text: String, status: String = "401 Unauthorized") -> [[UInt8]] {
    let json = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let form = text.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
    let xml = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return [
      RawHTTP.response(#"{"error":"\#(json)","request":"/1.1/statuses/home_timeline.json"}"#, status),
      RawHTTP.response(#"{"error":"invalid_request","error_description":"\#(json)","error_uri":"\#(json)"}"#, status),
      RawHTTP.response(#"{"error":"\#(json)","error_description":"\#(json)","error_uri":"\#(json)"}"#, status),
      RawHTTP.response(#"{"errors":[{"code":32,"message":"\#(json)"}]}"#, status),
      RawHTTP.response(#"{"errors":"\#(json)"}"#, status),
      RawHTTP.response(#"{"title":"\#(json)","type":"about:\#(json)","status":401,"detail":"\#(json)"}"#, status),
      RawHTTP.response("<?xml version=\"1.0\"?><hash><error>\(xml)</error></hash>", status),
      RawHTTP.response("oauth_problem=\(form)&oauth_problem_advice=\(form)", status),
      RawHTTP.response("error=\(form)&error_description=\(form)", status),
      RawHTTP.response("Error: \(text)", status),
      RawHTTP.response(
        "", status, ["WWW-Authenticate: OAuth realm=\"x\", oauth_problem=\"\(form)\", oauth_problem_advice=\"\(form)\""]
      ),
    ]
  }

  private static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var (letters, buffer, bits) = ("", 0, 0)
    for byte in text.utf8 {
      buffer = (buffer << 8 | Int(byte)) & 0xffff
      bits += 8
      while bits >= 6 {
        bits -= 6
        letters.append(alphabet[buffer >> bits & 63])
      }
    }
    if bits > 0 { letters.append(alphabet[buffer << (6 - bits) & 63]) }
    return letters + String(repeating: "=", count: (4 - letters.count % 4) % 4)
  }
}
