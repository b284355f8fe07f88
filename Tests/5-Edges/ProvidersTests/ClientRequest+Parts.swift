import Bytes
import HTTP
import HTTPClient
import HomelineOAuth

@testable import Providers

/// The parts of a provider's request, which is valid.
extension ClientRequest {
  var address: RequestURL {
    do { return try RequestURL(url) } catch { preconditionFailure("\(url): \(error)") }
  }

  var parameters: [Parameter] {
    do { return try form } catch { preconditionFailure("\(error)") }
  }

  /// The content in memory, as text.
  var text: String {
    if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  /// The form with a file; `nil` if the request has another content.
  var fileForm: FileForm? { if case .form(let form) = body { form } else { nil } }
}

extension FileForm {
  /// The text fields, and the place of the file.
  var outline: String {
    (fields.map { "\($0.name)=\($0.value)" } + ["\(field) \(range) \(type)"]).joined(separator: ", ")
  }
}

extension HeaderFields {
  /// Creates fields as the client receives them: without surrounding whitespace, and without those that are not valid.
  init(_ texts: [String: String]) {
    self.init()
    for (name, text) in texts {
      let bytes = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
      guard let name = FieldName(name), let value = FieldValue(String(decoding: Array(bytes), as: UTF8.self)) else {
        continue
      }
      append(name, value)
    }
  }
}
