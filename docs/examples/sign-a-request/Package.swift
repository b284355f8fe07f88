// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sign-a-request",
  dependencies: [.package(name: "homeline", path: "../../..")],
  targets: [
    .executableTarget(
      name: "sign-a-request",
      dependencies: [.product(name: "HomelineOAuth", package: "homeline")])
  ],
  swiftLanguageModes: [.v6]
)
