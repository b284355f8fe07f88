import Testing

@testable import Platform

@Suite struct ExitCodeTests {
  @Test("every exit code is 0, 1, a code from sysexits.h, or that of Ctrl-C")
  func numbers() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 65, 69, 70, 73, 74, 75, 77, 78, 130])
  }

  @Test("the worse of two exit codes does not depend on their order")
  func worst() {
    for left in ExitCode.allCases {
      #expect(ExitCode.done.worse(left) == left)
      for right in ExitCode.allCases {
        #expect(left.worse(right) == right.worse(left))
        #expect([left, right].contains(left.worse(right)))
      }
    }
    #expect(ExitCode.temporary.worse(.notAuthorised) == .notAuthorised)
  }
}
