package import Timeline

/// The reason no valid token is available for a request.
package enum TokenUnavailableError: Error {
  /// The token cannot be used, now or ever. The problem is published for the timeline's readers.
  case problem(Problem)
  /// A local failure, such as a file that cannot be written.
  case failure(OperationError)

  /// Whether the provider's refusal is final.
  var isFinal: Bool { if case .problem(let problem) = self { problem.code == .notAuthorised } else { false } }

  package var message: String {
    switch self {
    case .problem(let problem): problem.message
    case .failure(let failure): failure.message
    }
  }
}
