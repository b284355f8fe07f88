/// The reason why a benchmark could not be run.
package enum BenchFailure: Error, CustomStringConvertible {
  /// The command line is wrong.
  case usage(String)
  /// The measured code returned a wrong result, so its figures are meaningless.
  case wrongResult(String)

  package var description: String {
    switch self {
    case .usage(let words), .wrongResult(let words): words
    }
  }
}
