internal import HTTP
internal import Time

/// A bar chart in SVG of the posts per hour, with a line at each midnight. The lines are in UTC until the script moves them to the reader's
/// time zone.
///
/// Horizontal positions are percentages and vertical positions are pixels, so that text has the same size on a phone.
struct HourChart {
  /// The number of posts in each hour, ending with the current one.
  let hours: [Int]
  let now: Timestamp

  /// The chart as HTML; empty if the counts are unknown.
  var html: Markup {
    guard !hours.isEmpty else { return "" }
    let peakStart: Markup = peak.map { " data-peak=\"\(start(ofHour: $0).rfc3339)\"" } ?? ""
    return """
      <figure class="chart">
      <svg id="chart" role="img" aria-labelledby="chart-title chart-summary" height="\(Self.height)" \
      data-start="\(start(ofHour: 0).rfc3339)" data-hours="\(hours.count)">
      <title id="chart-title">Posts per hour</title>
      <desc id="chart-summary"\(peakStart)>\(summary)</desc>
      <g id="days">\(days)</g>\(bars)<text class="most" x="100%" y="11" text-anchor="end">peak: \(most)/h</text>
      </svg>
      <figcaption>Posts per hour</figcaption>
      </figure>

      """
  }

  /// How many hours a day needs at the end of the chart to have a label, and for the label to fit to the right of the day's line. In
  /// between, the label ends at the chart's edge. On a narrow screen, an hour is 1.7 pixels wide and a label 25.
  static let labelled = 12
  static let wide = 18

  private static let height = 108
  private static let top = 18
  private static let base = 88

  private var most: Int { max(hours.max() ?? 0, 0) }
  private var total: Int { hours.reduce(0) { $0.addingReportingOverflow(max($1, 0)).partialValue } }

  /// The hour with the most posts; `nil` if there are no posts.
  private var peak: Int? { most > 0 ? hours.firstIndex(of: most) : nil }

  private var summary: String {
    guard let place = peak else { return "No posts in the last \(hours.count) hours." }
    return "\(total) in the \(hours.count) hours up to now; the highest number, \(most), in the hour from "
      + "\(PageTime.exact(start(ofHour: place)))."
  }

  private func start(ofHour place: Int) -> Timestamp {
    let hour = (now.seconds - (now.seconds % 3600 + 3600) % 3600)
    return Timestamp(seconds: hour - Int64(hours.count - 1 - place) * 3600)
  }

  private var bars: Markup {
    hours.indices.filter { hours[$0] > 0 }.map { place -> Markup in
      // A bar has at least two pixels, so that a single post is visible.
      let height = max(2, Int((Double(hours[place]) / Double(most) * Double(Self.base - Self.top)).rounded()))
      let name: Markup = place == hours.count - 1 ? "bar now" : "bar"
      return """
        <rect class="\(name)" x="\(share(place))" y="\(Self.base - height)" width="\(share(1, of: 78))" height="\(height)"/>
        """
    }.joined() + "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"\(Self.base).5\" y2=\"\(Self.base).5\"/>"
  }

  private var days: Markup {
    hours.indices.filter { CivilDate(start(ofHour: $0)).hour == 0 }.map { place -> Markup in
      let x = share(place)
      let mark: Markup = "<line class=\"day\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Self.top)\" y2=\"\(Self.height - 2)\"/>"
      let left = hours.count - place
      guard left >= Self.labelled else { return mark }
      let name = PageTime.weekdays[CivilDate(start(ofHour: place)).weekday]
      let position: Markup = left < Self.wide ? "x=\"100%\" text-anchor=\"end\"" : "x=\"\(x)\" dx=\"4\""
      return mark + "<text \(position) y=\"\(Self.height - 4)\">\(name)</text>"
    }.joined()
  }

  /// Returns a number of hours, or of hundredths of an hour, as a percentage of the width.
  private func share(_ places: Int, of hundredths: Int = 100) -> String {
    let thousandths = places * hundredths * 1000 / hours.count
    let decimals = String(1000 + thousandths % 1000).dropFirst()
    return "\(thousandths / 1000).\(decimals)%"
  }
}
