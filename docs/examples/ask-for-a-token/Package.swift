// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ask-for-a-token",
  dependencies: [.package(name: "homeline", path: "../../..")],
  targets: [
    .executableTarget(
      name: "ask-for-a-token",
      dependencies: [.product(name: "HomelineOAuth", package: "homeline")])
  ],
  swiftLanguageModes: [.v6]
)
