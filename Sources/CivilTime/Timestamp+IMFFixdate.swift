extension Timestamp {
  /// The form of the `Date` header, as in `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
  package var imfFixdate: String {
    let date = CivilDate(self)
    return "\(DateText.weekdays[date.weekday]), \(date.day.padded(2)) \(DateText.months[date.month - 1])"
      + " \(date.year.padded(4)) \(date.hour.padded(2)):\(date.minute.padded(2)):\(date.second.padded(2)) GMT"
  }

  /// Reads an IMF-fixdate (RFC 9110 §5.6.7). The obsolete forms are not taken: no server of today sends them.
  package init?(imfFixdate text: String) {
    var text = DateText(text)
    guard text.name(of: DateText.weekdays) != nil, text.literal(", "), let day = text.digits(2), text.literal(" "),
      let month = text.name(of: DateText.months), text.literal(" "), let year = text.digits(4), text.literal(" "),
      let clock = text.clock(), text.literal(" GMT"), text.isAtEnd,
      let date = CivilDate(
        year: year, month: month + 1, day: day, hour: clock.hour, minute: clock.minute, second: clock.second)
    else { return nil }
    self = date.timestamp
  }
}
