// swift-tools-version: 6.2
import PackageDescription

/// What holds for every Swift target: Swift 6 with the upcoming features on, each unsafe
/// expression marked, and no warning left standing.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Tests touch C rarely; marking it adds nothing there.
let strictTests: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func room(_ name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: strictTests)
}

let package = Package(
  name: "homeline",
  products: [
    .library(name: "HomelineOAuth", targets: ["HomelineOAuth"]),
    .executable(name: "homeline", targets: ["homeline"]),
    .executable(name: "homelined", targets: ["homelined"]),
  ],
  targets: [
    // C: module maps, and the few functions that Swift cannot call itself.
    .target(name: "CLinux"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

    // Layer 0
    room("CivilTime"),
    room("HTTP"),
    room("JSON"),
    room("Timeline", on: ["CivilTime"]),
    room("Platform", on: ["CLinux", "CivilTime"]),

    // Layer 1
    room("HomelineOAuth", on: ["JSON", "COpenSSL"]),
    room("Settings", on: ["JSON", "HomelineOAuth"]),
    room("Publish", on: ["CivilTime", "JSON", "Timeline"]),

    // Layer 2
    room("Transport", on: ["HTTP", "Platform", "CLinux", "CCurl"]),
    room("Providers", on: ["CivilTime", "HomelineOAuth", "JSON", "Timeline"]),

    // Layer 3
    room(
      "Store",
      on: ["CivilTime", "HomelineOAuth", "JSON", "Timeline", "Publish", "Platform", "Settings", "CSQLite"]),
    room("Control", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "Platform"]),
    room("Sandbox", on: ["CivilTime", "HomelineOAuth", "HTTP", "JSON", "Platform", "Transport", "COpenSSL"]),

    // Layer 4
    room(
      "Service",
      on: [
        "CivilTime", "Control", "HTTP", "HomelineOAuth", "JSON", "Platform", "Providers", "Publish", "Sandbox",
        "Settings", "Store", "Timeline", "Transport",
      ]),
    room("Commands", on: ["HomelineOAuth", "Platform", "Settings"]),

    // Layer 5
    room("Console", on: ["Commands", "Control", "HTTP", "HomelineOAuth", "Platform", "Settings", "CQREncode"]),
    .executableTarget(
      name: "homeline",
      dependencies: [
        "CivilTime", "Commands", "Console", "Control", "HomelineOAuth", "JSON", "Platform", "Publish", "Settings",
        "Store",
        "Timeline",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "homelined",
      dependencies: [
        "CivilTime", "Commands", "Console", "Control", "HomelineOAuth", "Platform", "Publish", "Service", "Settings",
        "Store", "Timeline", "Transport",
      ],
      swiftSettings: strict),

    // Programs that do nothing unless built with --sanitize=fuzzer: see Fuzz/README.md.
    .executableTarget(
      name: "FuzzRequestParser", dependencies: ["HTTP"], path: "Fuzz/RequestParser", swiftSettings: strict),
    .executableTarget(
      name: "FuzzProviderAnswer",
      dependencies: ["CivilTime", "HomelineOAuth", "Providers", "Publish", "Timeline"],
      path: "Fuzz/ProviderAnswer", swiftSettings: strict),

    // Tests: one target a room, the whole road, and what others wrote.
    .target(name: "TestSupport", dependencies: ["CLinux"], path: "Tests/TestSupport", swiftSettings: strictTests),
    tests(of: "CivilTime"),
    tests(of: "HTTP", on: ["TestSupport"]),
    tests(of: "JSON", on: ["TestSupport"]),
    tests(of: "Timeline", on: ["CivilTime", "TestSupport"]),
    tests(of: "Platform", on: ["TestSupport"]),
    tests(of: "HomelineOAuth", on: ["JSON", "TestSupport"]),
    tests(of: "Settings", on: ["HomelineOAuth", "JSON", "TestSupport"]),
    tests(of: "Publish", on: ["CivilTime", "JSON", "Timeline", "TestSupport"]),
    tests(of: "Transport", on: ["HTTP", "Platform", "TestSupport"]),
    tests(of: "Providers", on: ["CivilTime", "HomelineOAuth", "JSON", "Timeline", "TestSupport"]),
    tests(
      of: "Store",
      on: ["CivilTime", "HomelineOAuth", "JSON", "Platform", "Publish", "Settings", "Timeline", "TestSupport"]),
    tests(of: "Control", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "Platform", "TestSupport"]),
    tests(of: "Sandbox", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "Platform", "Transport", "TestSupport"]),
    tests(
      of: "Service",
      on: [
        "CivilTime", "Control", "HTTP", "HomelineOAuth", "JSON", "Platform", "Providers", "Publish", "Sandbox",
        "Settings", "Store", "Timeline", "Transport", "TestSupport",
      ]),
    tests(of: "Commands", on: ["HomelineOAuth", "Platform", "Settings", "TestSupport"]),
    tests(of: "Console", on: ["TestSupport"]),
    .testTarget(
      name: "RoadTests",
      dependencies: [
        "CivilTime", "homeline", "homelined", "HomelineOAuth", "JSON", "Platform", "Sandbox", "Store", "Timeline",
        "TestSupport",
      ],
      swiftSettings: strictTests),
  ],
  swiftLanguageModes: [.v6]
)
