internal import HomelineOAuth

/// What Weibo's numbers ask of us (the list of error codes of open.weibo.com). Another list, of 2010, gives other meanings to 10022
/// to 10024.
struct WeiboAdvice {
  let kind: RefusalKind
  let words: String

  private init(_ kind: RefusalKind, _ words: String) {
    self.kind = kind
    self.words = words
  }

  static func of(_ code: Int, status: Int) -> WeiboAdvice {
    byCode[code] ?? ((500...599).contains(status) ? trouble : unknown)
  }

  private static let byCode: [Int: WeiboAdvice] = {
    var all: [Int: WeiboAdvice] = [
      10004: WeiboAdvice(
        .configuration,
        "Weibo does not serve this machine's address for this application; look at the addresses that are allowed in the "
          + "application's settings at open.weibo.com."),
      10005: closed,
      10006: WeiboAdvice(
        .needsLogin, "Weibo says this to a bad token too: log in again; if it stays so, check the app key (client_id)."),
      10014: closed,
      10032: WeiboAdvice(.closed, "The authorisation does not cover this address."),
      20003: WeiboAdvice(.refused, "Weibo does not know this user."),
      21320: WeiboAdvice(.configuration, "Weibo is asked by https only; check the account's addresses."),
      21321: WeiboAdvice(
        .configuration,
        "An application that Weibo has not reviewed serves its test users only: enter this user among them at open.weibo.com, "
          + "or have the application reviewed."),
      21322: WeiboAdvice(
        .configuration,
        "The callback address must be the one entered in the application's settings at open.weibo.com, letter by letter."
      ),
      21324: checkKeys,
      21325: WeiboAdvice(.needsLogin, "The code is wrong, used or too old; start the login again."),
      21326: checkKeys,
      21330: WeiboAdvice(
        .refused, "Access was not granted, or the application may not ask for it; log in again to change the first."),
      21331: trouble,
      21335: WeiboAdvice(.closed, "Weibo gives this of the logged-in user only."),
      23201: trouble,
    ]
    for code in [10001, 10002, 10003, 10009, 10010, 10011] { all[code] = trouble }
    for code in [10022, 10023, 10024] { all[code] = limit }
    for code in [21301, 21314, 21315, 21316, 21317, 21319, 21327, 21332] { all[code] = loginAgain }
    for code in [
      10007, 10008, 10012, 10013, 10016, 10017, 10018, 10020, 10021, 21323, 21328, 21329,
    ] { all[code] = notUnderstood }
    return all
  }()

  private static let trouble = WeiboAdvice(.transient, "Weibo is in trouble; try again later.")
  private static let limit = WeiboAdvice(.limit, "Wait until Weibo's limit is reset.")
  private static let loginAgain = WeiboAdvice(.needsLogin, "Log in again.")
  private static let checkKeys = WeiboAdvice(
    .configuration, "Check the app key (client_id) and the app secret (client_secret).")
  private static let closed = WeiboAdvice(
    .closed,
    "The application may not use this part of Weibo, as most new ones may not read the home timeline; ask Weibo for it at "
      + "open.weibo.com.")
  private static let notUnderstood = WeiboAdvice(
    .refused, "Weibo did not take the request as it was made; check the account's addresses.")
  private static let unknown = WeiboAdvice(.refused, "Look the number up at open.weibo.com.")
}
