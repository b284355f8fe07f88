internal import CivilTime

/// Times as Weibo writes them: always China's.
extension Timestamp {
  /// `Thu Nov 19 18:15:30 +0800 2026`
  var weiboDate: String { (self + WeiboLedger.zone).twitterDate.replacing("+0000", with: "+0800") }

  /// `2026-11-19 19:00:00`, without a word of the zone.
  var weiboLocalTime: String {
    (self + WeiboLedger.zone).rfc3339.replacing("T", with: " ").replacing("Z", with: "")
  }
}
