import Platform
import TestSupport
import Testing

@Suite struct SystemErrorTests {
  @Test("A failed system call is described by its object and the reason, not by the call's name")
  func subject() {
    let folder = TemporaryFolder()
    let error = #expect(throws: SystemError.self) { try File.read(folder.path + "/none", limit: 1) }
    #expect(error?.description == "\(folder.path)/none: No such file or directory")
  }

  @Test("A failed system call without an object is described by its name")
  func call() {
    let error = #expect(throws: SystemError.self) { try check("example") { -1 as Int32 } }
    #expect(error?.description.hasSuffix(" (example)") == true)
  }
}
