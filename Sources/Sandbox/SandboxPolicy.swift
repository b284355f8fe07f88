/// What can be chosen of a sandbox.
package struct SandboxPolicy: Sendable {
  package var timeline = SandboxTimeline()
  /// Whether the API v1.1 answers as GNU social does, instead of as Twitter did.
  package var isGNUSocial = false
  /// Requests that one token may make to one route of the API within `window`. Twitter gave 15 of the home timeline, which
  /// would stall a demo.
  package var rateLimit = 180
  package var window: Duration = .seconds(15 * 60)
  /// How far a request's timestamp may be from this clock, before or after.
  package var timestampTolerance: Duration = .seconds(300)
  package var requestTokenLife: Duration = .seconds(600)

  package init() {}
}
