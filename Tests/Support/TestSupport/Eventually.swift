/// Waits until a condition holds, and checks the condition every few milliseconds.
///
/// - Parameters:
///   - limit: the longest wait. It is generous, because only a failing test waits this long.
///   - pause: the time between two checks.
/// - Returns: whether the condition held in time.
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
