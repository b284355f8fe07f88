extension Timestamp {
  /// The form of `created_at` in the v1.1 API, as in `Wed Aug 27 13:08:45 +0000 2025`.
  package var twitterDate: String {
    let date = CivilDate(self)
    return "\(DateText.weekdays[date.weekday]) \(DateText.months[date.month - 1]) \(date.day.padded(2))"
      + " \(date.hour.padded(2)):\(date.minute.padded(2)):\(date.second.padded(2)) +0000 \(date.year.padded(4))"
  }

  /// Reads a `created_at` of the v1.1 API: English names, whatever the locale.
  package init?(twitterDate text: String) {
    var text = DateText(text)
    guard text.name(of: DateText.weekdays) != nil, text.literal(" "), let month = text.name(of: DateText.months),
      text.literal(" "), let day = text.digits(2), text.literal(" "), let clock = text.clock(), text.literal(" "),
      let offset = text.offset(), text.literal(" "), let year = text.digits(4), text.isAtEnd,
      let date = CivilDate(
        year: year, month: month + 1, day: day, hour: clock.hour, minute: clock.minute, second: clock.second)
    else { return nil }
    self.init(seconds: date.timestamp.seconds - offset)
  }
}
