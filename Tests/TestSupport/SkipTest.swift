package import Testing

/// Ends the running test and reports it as skipped, because this machine lacks a requirement.
///
/// Call it in the task of the test.
/// - Throws: Always; the error ends the test.
package func skipTest(_ reason: Comment) throws -> Never { try Test.cancel(reason) }
