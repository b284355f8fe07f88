package import HTTP
internal import HomelineOAuth

extension Response {
  init(json: [UInt8], status: StatusCode = .ok) {
    self.init(status: status, headers: [.contentType: "application/json; charset=utf-8"], body: json)
  }

  /// A form as the three legs answer it: under `text/html`, like the real server, so that nobody believes the type.
  init(form: [Parameter]) {
    self.init(
      status: .ok, headers: [.contentType: "text/html;charset=utf-8", "Cache-Control": "no-store"],
      body: Array(FormEncoding.encode(form).utf8))
  }

  /// Text of whatever type, for the answers that are no JSON.
  package init(status: StatusCode, type: FieldValue, text: String) {
    self.init(status: status, headers: [.contentType: type], body: Array(text.utf8))
  }
}
