internal import CivilTime
internal import HomelineOAuth
internal import JSON

extension ProviderFailure {
  /// The pause after a limit or a ban, because Weibo's responses never report when it ends.
  private static let weiboPause = Duration.seconds(3600)

  /// Interprets a response from Weibo's API or token endpoint by its `error_code`, regardless of the status; `nil` if the
  /// response is not a refusal.
  init?(weibo response: ProviderResponse) {
    let body = WeiboErrorBody(response.body)
    let refusal = OAuth.ProviderError(OAuthResponse(response, readsChallenges: false), expecting: "JSON")
    if let code = body.code {
      let said = refusal.flatMap { $0.content == .message ? $0.message : nil } ?? "error"
      self.init(code: code, said: said, in: response)
    } else if let refusal {
      self.init(withoutCode: refusal, in: response)
    } else if body.isUndone {
      self = .refused("Weibo says that the request was not carried out.")
    } else if response.body.isEmpty {
      self = .paused(
        "Weibo sent an empty response, as it does to applications that exceed its limits. homeline sends the next request in an hour.",
        until: response.receivedAt + Self.weiboPause)
    } else {
      return nil
    }
  }

  private init(code: Int, said: String, in response: ProviderResponse) {
    let advice = WeiboAdvice.of(code, status: response.status)
    let message = "Weibo says: “\(said)” (code \(code)). \(advice.message)"
    switch advice.kind {
    case .needsLogin: self = .needsLogin(message)
    case .configuration: self = .configuration(message)
    case .limit: self = Self.limited(message, in: response)
    case .closed: self = .closed(message)
    case .locked: self = .locked(message)
    case .transient: self = .transient(message, until: response.retryAfter)
    case .paused, .clock, .refused: self = .refused(message)
    }
  }

  private static func limited(_ message: String, in response: ProviderResponse) -> ProviderFailure {
    if let until = response.retryAfter { return .rateLimited(message, until: until) }
    return .rateLimited(
      message + " Weibo does not say when. homeline sends the next request in an hour.",
      until: response.receivedAt + weiboPause)
  }

  /// Interprets an error from a proxy in front of Weibo, or an error from Weibo without an error code.
  ///
  /// Requests are not signed, so a bare 401 does not indicate wrong keys or a wrong clock. A token is kept unless the error
  /// mentions it.
  private init(withoutCode refusal: OAuth.ProviderError, in response: ProviderResponse) {
    switch refusal.advice.kind {
    case .limit: self = Self.limited(refusal.explanation, in: response)
    case .closed: self = .closed(refusal.explanation)
    case .locked: self = .locked(refusal.explanation)
    case .transient: self = .transient(refusal.explanation, until: response.retryAfter)
    case .needsLogin, .configuration, .paused, .clock, .refused:
      let came = refusal.content == .message ? "says: “\(refusal.message)”" : "sent \(refusal.message)"
      self = .transient(
        "Weibo \(came) (status \(response.status)), without an error code. The request will be retried; if this persists, log in again.",
        until: response.retryAfter)
    }
  }
}

extension TokenFailure {
  /// Interprets a refusal from Weibo's token endpoint by its error code, or according to RFC 6749 if it has none.
  init(weibo error: OAuth2ResponseError, in response: ProviderResponse) {
    guard case .refused(let refusal) = error, refusal.errorCode != nil, let failure = ProviderFailure(weibo: response)
    else {
      self.init(error, in: response)
      return
    }
    let message = failure.message
    switch failure {
    case .needsLogin: self = .dead(message)
    case .configuration, .closed: self = .clientRejected(message)
    case .rateLimited(_, let until), .paused(_, let until): self = .transient(message, until: until)
    case .transient(_, let until): self = .transient(message, until: until)
    case .refused, .sinceRefused, .clock, .locked: self = .refused(message, until: response.retryAfter)
    }
  }
}

/// Weibo's JSON for errors.
///
/// `{"error":"expired_token","error_code":21327,"request":"/2/statuses/home_timeline.json"}`. The number is a string in the
/// documentation, but a number in real responses.
struct WeiboErrorBody {
  private(set) var code: Int?
  /// Whether the requested action was not carried out: `{"result":"false"}`.
  private(set) var isUndone = false

  /// Reads any body, but finds members only in a JSON object.
  init(_ body: [UInt8]) {
    guard (try? JSONCursor.kind(of: body)) == .object else { return }
    var cursor = JSONCursor(body)
    try? cursor.members { cursor, name in
      switch name {
      case "error_code":
        code = try cursor.lenientInteger(in: -999_999_999...999_999_999).flatMap { $0 == 0 ? nil : $0 } ?? code
      case "result": isUndone = try Self.isFalse(&cursor)
      default: try cursor.skip()
      }
    }
  }

  private static func isFalse(_ cursor: inout JSONCursor) throws -> Bool {
    if try cursor.peek() == .boolean { return try !cursor.boolean() }
    return try cursor.lenientString() == "false"
  }
}

/// The meaning of Weibo's error numbers (the list of error codes at open.weibo.com). Another list, from 2010, gives different meanings for
/// 10022 to 10024.
struct WeiboAdvice {
  let kind: RefusalKind
  let message: String

  private init(_ kind: RefusalKind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  static func of(_ code: Int, status: Int) -> WeiboAdvice {
    byCode[code] ?? ((500...599).contains(status) ? trouble : unknown)
  }

  private static let byCode: [Int: WeiboAdvice] = {
    var all: [Int: WeiboAdvice] = [
      10004: WeiboAdvice(
        .configuration,
        "Weibo does not accept this machine's address for this application; check the allowed addresses in the "
          + "application's settings at open.weibo.com."),
      10005: closed,
      10006: WeiboAdvice(
        .needsLogin,
        "Weibo also says this if the token is invalid: log in again; if this persists, check the app key (client_id)."),
      10014: closed,
      10032: WeiboAdvice(.closed, "The authorisation does not cover this address."),
      10017: WeiboAdvice(
        .refused,
        "A post must contain a link to the application's safe domain, which must be registered at open.weibo.com."),
      20003: WeiboAdvice(.refused, "Weibo does not know this user."),
      20005: WeiboAdvice(.refused, "Weibo allows JPEG, PNG and GIF pictures."),
      20006: WeiboAdvice(.refused, "Weibo accepts only pictures smaller than 5 MB."),
      20012: WeiboAdvice(.refused, "The text is too long; Weibo allows 140 Chinese characters."),
      20016: WeiboAdvice(.limit, "Posts are being sent too quickly."),
      20017: repeated, 20019: repeated,
      21320: WeiboAdvice(.configuration, "Weibo accepts only https; check the account's addresses."),
      21321: WeiboAdvice(
        .configuration,
        "Until Weibo has reviewed an application, only its test users can use it: add this user to them at open.weibo.com, "
          + "or have the application reviewed."),
      21322: WeiboAdvice(
        .configuration,
        "The callback address must be exactly the one entered in the application's settings at open.weibo.com."
      ),
      21324: checkKeys,
      21325: WeiboAdvice(.needsLogin, "The code is wrong, has already been used or is too old; start the login again."),
      21326: checkKeys,
      21330: WeiboAdvice(
        .refused, "Access was not granted, or the application may not request it; to grant it, log in again."),
      21331: trouble,
      21335: WeiboAdvice(.closed, "Weibo provides this only for the logged-in user."),
      23201: trouble,
    ]
    for code in [10001, 10002, 10003, 10009, 10010, 10011] { all[code] = trouble }
    for code in [10022, 10023, 10024] { all[code] = limit }
    for code in [21301, 21314, 21315, 21316, 21317, 21319, 21327, 21332] { all[code] = loginAgain }
    for code in [
      10007, 10008, 10012, 10013, 10016, 10018, 10020, 10021, 21323, 21328, 21329,
    ] { all[code] = notUnderstood }
    return all
  }()

  private static let trouble = WeiboAdvice(.transient, "Weibo is having problems; try again later.")
  private static let limit = WeiboAdvice(.limit, "Wait until Weibo's limit is reset.")
  private static let loginAgain = WeiboAdvice(.needsLogin, "Log in again.")
  private static let checkKeys = WeiboAdvice(
    .configuration, "Check the app key (client_id) and the app secret (client_secret).")
  private static let closed = WeiboAdvice(
    .closed,
    "The application may not use this part of Weibo, just as most new ones may not read the home timeline; request access from Weibo at "
      + "open.weibo.com.")
  private static let notUnderstood = WeiboAdvice(
    .refused, "Weibo did not accept the request in this form; check the account's addresses.")
  private static let repeated = WeiboAdvice(.refused, "Weibo rejects text that resembles the user's last posts.")
  private static let unknown = WeiboAdvice(.refused, "Look up the number at open.weibo.com.")
}
