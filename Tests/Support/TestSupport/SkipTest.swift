// The benchmarks also use this target. They are linked statically, and the toolchain has no static Testing module.
#if canImport(Testing)
  package import Testing

  /// Ends the running test and reports it as skipped, because this machine lacks a requirement.
  ///
  /// Call this function in the test's own task.
  /// - Throws: always. The error ends the test.
  package func skipTest(_ reason: Comment) throws -> Never { try Test.cancel(reason) }
#endif
