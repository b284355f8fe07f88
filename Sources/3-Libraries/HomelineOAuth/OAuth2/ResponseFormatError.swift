internal import Bytes
internal import OAuthValues

/// An error for a response in an unexpected format. Its message describes the response, for example as `a web page`.
struct ResponseFormatError: Error {
  let message: String
  /// The end of a sentence about the response, if only the server itself can have sent it.
  let defect: String?

  init(_ message: String, defect: String? = nil) {
    self.message = message
    self.defect = defect
  }

  init(tooLong count: Int) {
    self.init("\(count) bytes, which is too long,", defect: "is too long (\(Count.text(count)) bytes)")
  }

  static let notJSON = ResponseFormatError("malformed JSON", defect: "is not UTF-8 JSON")
}

extension ResponseFormatError {
  /// Describes an unexpected body. A message is quoted only if both its format and its status are those of an error: anything else may be a
  /// malformed token response.
  init(describing response: OAuth.Response, otherwise: String = "something else") {
    let body = response.body
    switch ErrorText.read(body) {
    case .page: self.init(Self.page)
    case .error(let error) where (response.status ?? 0) >= 400 && Self.isText(body) && !Self.mayContainToken(body):
      let text = ProviderText.cleaned(error.text.utf8, hiding: response.hiding)
      self.init(text.isEmpty ? otherwise : "the message “\(text)”")
    case .nothing where body.isEmpty: self.init("an empty body")
    case .error, .plain, .nothing:
      // JSON in UTF-16 or UTF-32 contains zeros.
      self.init(
        Self.isText(body) ? otherwise : "something that is not text",
        defect: !Self.isText(body) && (response.status ?? 200) < 400 ? "is not UTF-8 JSON" : nil)
    }
  }

  private static let page = "a web page"

  private static func isText(_ body: [UInt8]) -> Bool {
    !body.contains(0) && String(validating: body, as: UTF8.self) != nil
  }

  /// Returns whether a response with this description is probably not from the server, but from a network that requires a login.
  static func isFromNetwork(_ message: String, status: Int) -> Bool {
    OAuth.ProviderError.isRedirect(status) || message == page && (status < 400 || status == 511)
  }

  /// Returns whether a body may be a malformed token response, which must not be quoted.
  private static func mayContainToken(_ body: [UInt8]) -> Bool {
    let text = ASCII.lowercased(String(decoding: body.prefix(ErrorText.byteLimit), as: UTF8.self))
    return ["access_token", "refresh_token", "accesstoken", "refreshtoken", "device_code"].contains {
      text.contains($0)
    }
  }
}
