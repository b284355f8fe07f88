extension Request {
  /// The whole request as bytes for one write. The framing is made here: `Content-Length` and
  /// `Transfer-Encoding` among the headers are left out.
  package func serialized() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256 + body.count)
    bytes.append(contentsOf: "\(method.name) \(target.raw) \(version.rawValue)\r\n".utf8)
    for field in headers.fields where field.name != .contentLength && field.name != .transferEncoding {
      bytes.append(field)
    }
    if !body.isEmpty || method == .post || method == .put || method == .patch {
      bytes.append(HeaderFields.Field(.contentLength, FieldValue(body.count)))  // RFC 9110 §8.6
    }
    bytes.append(contentsOf: "\r\n".utf8)
    bytes.append(contentsOf: body)
    return bytes
  }
}
