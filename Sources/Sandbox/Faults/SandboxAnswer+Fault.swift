package import HTTP

extension SandboxAnswer {
  /// Has an answer go wrong.
  /// - Parameter work: what the provider does with the request; it is not called where the fault comes before.
  package init(_ fault: SandboxFault?, work: () -> Response) {
    switch fault {
    case .answer(let response): self.init(response: response)
    case .drop(worked: false): self.init(response: Response(status: .internalServerError), isDropped: true)
    case .drop(worked: true): self.init(response: work(), isDropped: true)
    case .delay(let delay): self.init(response: work(), delay: delay)
    case .stall(let count, let time): self.init(response: work(), delay: time, stallsAfter: count)
    case .change(let change):
      self.init(response: work())
      change(&response)
    case nil: self.init(response: work())
    }
  }
}
