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
      21320: WeiboAdvice(
        .configuration, "Weibo accepts only https; if you have set the account's endpoints, check them."),
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
    .refused, "Weibo did not accept the request in this form; if you have set the account's endpoints, check them.")
  private static let repeated = WeiboAdvice(.refused, "Weibo refuses text that resembles the user's last posts.")
  private static let unknown = WeiboAdvice(.refused, "Look up the number at open.weibo.com.")
}
