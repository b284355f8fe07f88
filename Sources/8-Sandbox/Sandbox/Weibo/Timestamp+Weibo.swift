internal import Time

/// Times in Weibo's formats, always in China's time zone.
extension Timestamp {
  /// `Thu Nov 19 18:15:30 +0800 2026`
  var weiboDate: String { (self + WeiboUsage.zone).twitterDate.replacing("+0000", with: "+0800") }

  /// `2026-11-19 19:00:00`, without the time zone.
  var weiboLocalTime: String {
    (self + WeiboUsage.zone).rfc3339.replacing("T", with: " ").replacing("Z", with: "")
  }
}
