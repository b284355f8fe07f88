/// Metrics in Prometheus's text format, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats).
struct PrometheusText {
  /// A value with the labels that distinguish it from the other values of its metric.
  struct Sample {
    var labels: [(name: String, value: String)] = []
    /// The value as a decimal number.
    let value: String
  }

  /// The metrics written so far, each line followed by a line feed.
  private(set) var text = ""

  /// Writes a metric that can increase and decrease. A metric without values is left out.
  /// - Parameter help: the measured quantity, on one line.
  mutating func gauge(_ name: String, _ help: String, _ samples: [Sample]) {
    if samples.isEmpty { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
    }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
