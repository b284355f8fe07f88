/// Settings of a simulated provider.
package struct SandboxPolicy: Sendable {
  package var timeline = SandboxTimeline()
  /// Whether the v1.1 API responds like GNU social instead of like Twitter.
  package var isGNUSocial = false
  /// The number of requests that one token may send to one API route within `window`. Twitter allowed 15 for the home timeline, too few
  /// for a demonstration.
  package var rateLimit = 180
  package var window: Duration = .seconds(15 * 60)
  /// The maximum difference between a request's timestamp and the provider's clock, in either direction.
  var timestampTolerance: Duration = .seconds(300)
  var requestTokenLife: Duration = .seconds(600)

  package init() {}
}
