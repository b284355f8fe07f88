internal import HTTP
internal import HomelineOAuth

/// A request whose multipart form is split into a plain form and one picture.
struct WeiboShareForm {
  /// The request, with its multipart form replaced by a plain form.
  let request: Request
  let picture: MultipartBody.Part?

  /// Splits the multipart form of a request. A request without a multipart form remains unchanged.
  init(_ request: Request) throws(WeiboError) {
    guard request.headers.first(.contentType)?.hasPrefix("multipart/") == true else {
      self.request = request
      picture = nil
      return
    }
    guard let parts = MultipartBody(request)?.parts else { throw .badParameter }
    let files = parts.filter(\.isFile)
    guard files.count == 1, files[0].name == "pic" else { throw .pictureMissing }
    var plain = request
    plain.headers.set(.contentType, "application/x-www-form-urlencoded")
    plain.body = Array(
      FormEncoding.encode(parts.filter { !$0.isFile }.map { Parameter($0.name, $0.text) }).utf8)
    self.request = plain
    picture = files[0]
  }
}
