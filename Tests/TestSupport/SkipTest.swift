package import Testing

/// Ends the running test, which is reported as skipped and not as passed: this machine lacks something that it needs.
///
/// To be called in the test's own task.
/// - Throws: always; the error ends the test.
package func skipTest(_ reason: Comment) throws -> Never { try Test.cancel(reason) }
