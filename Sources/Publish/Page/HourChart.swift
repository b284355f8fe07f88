internal import CivilTime

/// The posts of each hour as bars, with a mark at each midnight (UTC), in SVG.
///
/// Places across are shares of the width and places down are pixels, so that the words keep their size on a phone.
struct HourChart {
  /// The hour that is going on is the last one.
  let hours: [Int]
  let now: Timestamp

  /// An empty text where the hours are not known.
  var html: String {
    guard !hours.isEmpty else { return "" }
    return """
      <figure class="chart">
      <svg role="img" aria-labelledby="chart-title chart-words" height="\(Self.height)">
      <title id="chart-title">Posts per hour</title>
      <desc id="chart-words">\(words)</desc>
      \(days)\(bars)<text class="most" x="100%" y="11" text-anchor="end">\(most) in an hour</text>
      </svg>
      <figcaption>Posts per hour, by days of UTC</figcaption>
      </figure>

      """
  }

  private static let height = 108
  private static let top = 18
  private static let base = 88

  private var most: Int { max(hours.max() ?? 0, 0) }
  private var total: Int { hours.reduce(0) { $0.addingReportingOverflow(max($1, 0)).partialValue } }

  private var words: String {
    guard most > 0, let place = hours.firstIndex(of: most) else { return "None came in these \(hours.count) hours." }
    return "\(total) in the \(hours.count) hours up to now; the most, \(most), in the hour from "
      + "\(PageTime.exact(start(ofHour: place)))."
  }

  private func start(ofHour place: Int) -> Timestamp {
    let hour = (now.seconds - (now.seconds % 3600 + 3600) % 3600)
    return Timestamp(seconds: hour - Int64(hours.count - 1 - place) * 3600)
  }

  private var bars: String {
    hours.indices.filter { hours[$0] > 0 }.map { place in
      // At least two pixels: one post should not look like none.
      let height = max(2, Int((Double(hours[place]) / Double(most) * Double(Self.base - Self.top)).rounded()))
      let name = place == hours.count - 1 ? " class=\"bar now\"" : " class=\"bar\""
      return "<rect\(name) x=\"\(share(place))\" y=\"\(Self.base - height)\" width=\"\(share(1, of: 78))\""
        + " height=\"\(height)\"/>"
    }.joined() + "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"\(Self.base).5\" y2=\"\(Self.base).5\"/>"
  }

  private var days: String {
    hours.indices.filter { CivilDate(start(ofHour: $0)).hour == 0 }.map { place in
      let x = share(place)
      let mark = "<line class=\"day\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Self.top)\" y2=\"\(Self.height - 2)\"/>"
      // A name needs the room of half a day.
      guard hours.count - place >= 12 else { return mark }
      let name = PageTime.weekdays[CivilDate(start(ofHour: place)).weekday]
      return mark + "<text x=\"\(x)\" y=\"\(Self.height - 4)\" dx=\"4\">\(name)</text>"
    }.joined()
  }

  /// So many hours, or hundredths of them, as a share of the width.
  private func share(_ places: Int, of hundredths: Int = 100) -> String {
    let thousandths = places * hundredths * 1000 / hours.count
    let decimals = String(1000 + thousandths % 1000).dropFirst()
    return "\(thousandths / 1000).\(decimals)%"
  }
}
