import Platform
import TestSupport
import Testing

/// The packages of a release, which `make test-packages` also installs.
@Suite("Packages") struct PackageTests {
  @Test(
    "The Debian package is reproducible, depends on all libraries that the programs use, and installs each file in its place"
  )
  func package() async throws {
    try await ServiceUnitTests.run("verify_package.sh", [ServiceUnitTests.programs], timeout: .seconds(400))
  }

  @Test("The packages and the programs have the same version")
  func version() async throws {
    let home = try TestInstallation()
    let packaged = try await home.shell("'\(Repository.path("scripts/package"))' version")
    #expect(try await home.run("version").output == "homeline \(packaged.output)")
  }
}
