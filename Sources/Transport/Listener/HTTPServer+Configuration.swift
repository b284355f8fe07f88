package import HTTP

extension HTTPServer {
  /// What a server takes and how long it waits.
  package struct Configuration: Sendable {
    package var limits: RequestParser.Limits
    package var deadlines: ConnectionDeadlines
    /// Connections at a time. Browsers open a handful; the number bounds what a neighbour on the machine can take
    /// of our descriptors (1,024 where nobody raised the limit).
    package var maximumConnections: Int
    /// The time for the `Date` field, as IMF-fixdate; nil leaves it out. Called on the server's queue.
    package var date: @Sendable () -> FieldValue?

    package init(
      limits: RequestParser.Limits, deadlines: ConnectionDeadlines = ConnectionDeadlines(),
      maximumConnections: Int = 512, date: @escaping @Sendable () -> FieldValue? = { nil }
    ) {
      self.limits = limits
      self.deadlines = deadlines
      self.maximumConnections = maximumConnections
      self.date = date
    }
  }
}
