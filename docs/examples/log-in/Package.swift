// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "log-in",
  dependencies: [.package(name: "homeline", path: "../../..")],
  targets: [
    .executableTarget(
      name: "log-in",
      dependencies: [
        .product(name: "CallbackListener", package: "homeline"),
        .product(name: "HomelineOAuth", package: "homeline"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
