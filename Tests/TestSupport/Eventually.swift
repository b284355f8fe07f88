/// Waits until a condition holds. Checks it every few milliseconds.
///
/// - Parameters:
///   - limit: The longest wait; generous, because it is reached only if a test fails.
///   - pause: The time between two checks.
/// - Returns: Whether the condition held in time.
package func eventually(
  within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(20),
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + limit
  while clock.now < deadline {
    if try await condition() { return true }
    try await Task.sleep(for: pause)
  }
  return try await condition()
}
