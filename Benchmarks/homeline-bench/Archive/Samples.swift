/// Measurements of the same thing, in milliseconds.
struct Samples {
  private let sorted: [Double]

  init(_ values: [Double]) {
    precondition(!values.isEmpty, "something was measured")
    sorted = values.sorted()
  }

  var median: Double { quantile(0.5) }
  /// What nine in ten do not exceed.
  var p90: Double { quantile(0.9) }

  private func quantile(_ share: Double) -> Double {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
