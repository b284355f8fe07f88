/// Why nothing could be measured.
package enum BenchFailure: Error, CustomStringConvertible {
  /// It was not asked for as it should be.
  case usage(String)
  /// What was measured did not do its job, so that its figures mean nothing.
  case wrongResult(String)

  package var description: String {
    switch self {
    case .usage(let words), .wrongResult(let words): words
    }
  }
}
