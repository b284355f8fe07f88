/// Measurements of one operation in milliseconds.
struct Samples {
  private let sorted: [Double]

  init(_ values: [Double]) {
    precondition(!values.isEmpty, "there are no measurements")
    sorted = values.sorted()
  }

  var median: Double { quantile(0.5) }
  /// The 90th percentile of the measurements.
  var p90: Double { quantile(0.9) }

  private func quantile(_ share: Double) -> Double {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
