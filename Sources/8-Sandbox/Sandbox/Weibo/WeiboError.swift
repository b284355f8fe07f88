internal import HTTP
internal import JSON

/// An error response from Weibo: `{"error":"expired_token","error_code":21327,"request":"/2/users/show.json"}`.
struct WeiboError: Error, Sendable {
  let status: StatusCode
  let code: Int
  let error: String
  /// The description, which only the OAuth endpoints return.
  var description: String?

  init(_ status: Int, _ code: Int, _ error: String, description: String? = nil) {
    self.status = StatusCode(status)
    self.code = code
    self.error = error
    self.description = description
  }

  static let appKeyMissing = WeiboError(400, 10006, "source paramter(appkey) is missing")
  static let badParameter = WeiboError(400, 10008, "param error, see doc for more info")
  static let noPermission = WeiboError(403, 10014, "Insufficient app permissions!")
  static let unknownAddress = WeiboError(404, 10020, "request api not found!")
  static let wrongMethod = WeiboError(405, 10021, "HTTP method is not suported for this request!")
  static let outOfRate = WeiboError(403, 10023, "User requests out of rate limit!")
  static let parameterMissing = WeiboError(400, 10016, "Miss required parameter, see doc for more info.")
  static let domainMissing = WeiboError(400, 10017, "text not find domain!")
  static let textMissing = WeiboError(400, 20008, "Content is null!")
  static let wrongPictureType = WeiboError(400, 20005, "Unsupport image type, only suport JPG, GIF, PNG!")
  static let pictureTooLarge = WeiboError(400, 20006, "Image size too large!")
  static let pictureMissing = WeiboError(400, 20007, "Does multipart has image?")
  static let textTooLong = WeiboError(400, 20012, "Text too long, please input text less than 140 characters!")
  static let repeatedContent = WeiboError(400, 20019, "Repeated content!")
  static let tooManyPosts = WeiboError(403, 10024, "User requests for /statuses/share out of rate limit!")
  static let unknownUser = WeiboError(400, 20003, "User does not exists!")

  /// Creates the error for an invalid access token.
  init(_ error: AccessTokenError, status: Int) {
    switch error {
    case .missing: self = .appKeyMissing
    case .ambiguous: self = .badParameter
    case .unknown: self.init(status, 21332, "invalid_access_token")
    case .expired: self.init(status, 21327, "expired_token")
    case .revoked: self.init(status, 21316, "token_revoked")
    }
  }

  /// Creates a token endpoint error.
  init(_ error: OAuth2Error) {
    let message = error.message
    switch error {
    case .unknownClient, .authenticationMissing, .unsupportedAuthentication:
      self.init(401, 21324, "invalid_client", description: message)
    case .wrongSecret: self.init(401, 21324, "invalid_client", description: "client_secret error.")
    case .grantTypeNotSupported: self.init(400, 21328, "unsupported_grant_type", description: message)
    case .wrongRedirect: self.init(400, 21322, "redirect_uri_mismatch", description: message)
    case .badRequest, .scopeNotAllowed: self.init(400, 21323, "invalid_request", description: message)
    default: self.init(400, 21325, "invalid_grant", description: message)
    }
  }

  func response(to path: String, _ quirks: WeiboQuirks = WeiboQuirks()) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("error", error)
      if quirks.writesCodesAsText {
        writer.member("error_code", String(code))
      } else {
        writer.member("error_code", code)
      }
      if quirks.namesRequests { writer.member("request", path) }
      if let description {
        writer.member("error_uri", path)
        writer.member("error_description", description)
      }
    }
    return Response(json: writer.bytes, status: status)
  }
}
