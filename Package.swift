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
    .library(name: "CallbackListener", targets: ["CallbackListener"]),
    .executable(name: "homeline", targets: ["homeline"]),
    .executable(name: "homelined", targets: ["homelined"]),
    .executable(name: "homeline-sandbox", targets: ["homeline-sandbox"]),
    // Loaded before libc into the programs under test: see Tests/FaultInjection/fault.c. A product, since only those are linked by themselves.
    .library(name: "FaultInjection", type: .dynamic, targets: ["FaultInjection"]),
  ],
  targets: [
    // C: module maps, and the few functions that Swift cannot call itself.
    .target(name: "CLinux"),
    .target(name: "CPlainRun"),
    .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CQREncode", linkerSettings: [.linkedLibrary("qrencode")]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    // libcurl alone is loaded with the first call: docs/decisions/0028-libraries-loaded-on-first-use.md.
    .target(name: "CCurl"),

    // Layer 0
    room("CivilTime"),
    room("HTTP"),
    room("JSON", on: ["CPlainRun"]),
    room("Timeline", on: ["CivilTime"]),
    room("Platform", on: ["CLinux", "CivilTime"]),

    // Layer 1
    room("HomelineOAuth", on: ["JSON", "COpenSSL"]),
    room("Settings", on: ["JSON", "HomelineOAuth", "Timeline"]),
    room("Publish", on: ["CivilTime", "JSON", "Timeline"]),

    // Layer 2
    room("Scheduling", on: ["CivilTime", "Settings", "Timeline"]),
    room("HTTPServer", on: ["HTTP", "Platform", "CLinux"]),
    room("CallbackListener", on: ["CivilTime", "HTTP", "HTTPServer", "Platform"]),
    room("HTTPClient", on: ["HTTP", "Platform", "CLinux", "CCurl"]),
    room("Providers", on: ["CivilTime", "HomelineOAuth", "JSON", "Timeline"]),

    room("Storage", on: ["CivilTime", "HomelineOAuth", "JSON", "Platform", "Publish", "Settings", "Timeline"]),
    room("Files", on: ["CivilTime", "HomelineOAuth", "JSON", "Platform", "Settings"]),

    // Layer 3
    room("SQLite", on: ["Platform", "Storage", "CSQLite"]),
    room("Media", on: ["CivilTime", "HomelineOAuth", "Platform", "SQLite", "Storage"]),
    room(
      "StorageSQLite",
      on: [
        "CivilTime", "Files", "HomelineOAuth", "JSON", "Platform", "Publish", "Settings", "SQLite", "Storage",
        "Timeline",
      ]),
    room(
      "Publishing",
      on: ["CivilTime", "Files", "JSON", "Media", "Platform", "Publish", "Settings", "Storage", "Timeline"]),
    room("Control", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "Platform"]),
    room("Sandbox", on: ["CivilTime", "HomelineOAuth", "HTTP", "JSON", "Platform", "HTTPServer", "COpenSSL"]),

    // Layer 4
    room(
      "Accounts",
      on: [
        "CivilTime", "Files", "HTTP", "HTTPClient", "HomelineOAuth", "Media", "Platform", "Providers", "Publish",
        "Publishing", "Scheduling", "Settings", "Storage", "Timeline",
      ]),

    // Layer 5
    room(
      "Refresh",
      on: [
        "Accounts", "CivilTime", "HTTP", "HTTPClient", "HomelineOAuth", "Media", "Platform", "Providers", "Publish",
        "Publishing", "Scheduling", "Settings", "Storage", "Timeline",
      ]),
    room(
      "Login",
      on: [
        "Accounts", "CallbackListener", "CivilTime", "HTTP", "HTTPClient", "HTTPServer", "HomelineOAuth", "Platform",
        "Providers", "Publish", "Publishing", "Refresh", "Settings", "Storage", "Timeline",
      ]),

    // Layer 6
    room(
      "Service",
      on: [
        "Accounts", "Login", "Refresh",
        "CallbackListener", "CivilTime", "Control", "Files", "HTTP", "HTTPClient", "HTTPServer", "HomelineOAuth",
        "JSON", "Media", "Platform", "Providers", "Publish", "Publishing", "Scheduling", "Settings", "Storage",
        "Timeline",
      ]),
    room(
      "Commands",
      on: ["CivilTime", "Control", "HTTP", "HomelineOAuth", "Platform", "Settings", "CQREncode"]),

    // Layer 7
    .executableTarget(
      name: "homeline",
      dependencies: [
        "CivilTime", "Commands", "Control", "Files", "HomelineOAuth", "JSON", "Media", "Platform", "Publish",
        "Settings",
        "Storage", "StorageSQLite", "Timeline",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "homelined",
      dependencies: [
        "Accounts", "CivilTime", "Commands", "Control", "Files", "HomelineOAuth", "Login", "Platform", "Publish",
        "Refresh", "Scheduling", "Service", "Settings",
        "Storage", "StorageSQLite", "Timeline", "HTTPServer",
      ],
      swiftSettings: strict),

    .executableTarget(
      name: "homeline-sandbox",
      dependencies: ["CivilTime", "Commands", "HTTP", "HomelineOAuth", "Platform", "HTTPServer", "Sandbox"],
      swiftSettings: strict),

    // Writes the manual pages and the commands' reference from the declarations. Not installed.
    room("Manual", on: ["Commands", "Platform"]),
    .executableTarget(
      name: "homeline-manual", dependencies: ["Commands", "Manual", "Platform"], swiftSettings: strict),

    // Programs that do nothing unless built with --sanitize=fuzzer: see Fuzz/README.md.
    .executableTarget(
      name: "FuzzRequestParser", dependencies: ["HTTP"], path: "Fuzz/RequestParser", swiftSettings: strict),
    .executableTarget(
      name: "FuzzProviderAnswer",
      dependencies: ["CivilTime", "HomelineOAuth", "Providers", "Publish", "Timeline"],
      path: "Fuzz/ProviderAnswer", swiftSettings: strict),
    .executableTarget(
      name: "FuzzFormDecoding", dependencies: ["HomelineOAuth"], path: "Fuzz/FormDecoding", swiftSettings: strict),
    .executableTarget(
      name: "FuzzConfiguration", dependencies: ["JSON", "Settings"], path: "Fuzz/Configuration", swiftSettings: strict),
    .executableTarget(
      name: "FuzzTokenFile", dependencies: ["Storage", "StorageSQLite"], path: "Fuzz/TokenFile", swiftSettings: strict),
    .executableTarget(
      name: "FuzzSearchQuery",
      dependencies: ["CivilTime", "Files", "Platform", "Storage", "StorageSQLite", "Timeline"],
      path: "Fuzz/SearchQuery",
      swiftSettings: strict),

    // Measure, each job by the code that the service runs: see Benchmarks/README.md. Not installed.
    .target(
      name: "Benchmarking",
      dependencies: [
        "CivilTime", "Files", "HomelineOAuth", "Platform", "Providers", "Publishing", "Settings", "Storage",
        "StorageSQLite", "StorageTestSupport", "Timeline",
      ],
      path: "Benchmarks/Benchmarking", swiftSettings: strict),
    .target(name: "Contenders", dependencies: ["COpenSSL"], path: "Benchmarks/Contenders"),
    .executableTarget(
      name: "homeline-bench",
      dependencies: [
        "Benchmarking", "CivilTime", "Contenders", "Files", "HomelineOAuth", "JSON", "Platform", "Publish",
        "Publishing", "Settings", "Storage", "StorageSQLite", "StorageTestSupport", "TestSupport", "Timeline",
      ],
      path: "Benchmarks/homeline-bench", swiftSettings: strict),
    .executableTarget(
      name: "homeline-bench-network",
      dependencies: [
        "Benchmarking", "CallbackListener", "CivilTime", "HTTP", "HomelineOAuth", "Platform", "Providers", "Service",
        "Accounts", "Login", "Scheduling",
        "Timeline",
        "HTTPClient", "HTTPServer",
      ],
      path: "Benchmarks/homeline-bench-network", swiftSettings: strict),

    // Tests: one target per module, and the built programs end to end.
    .target(name: "TestSupport", dependencies: ["CLinux"], path: "Tests/TestSupport", swiftSettings: strictTests),
    .target(
      name: "SandboxSupport", dependencies: ["CivilTime", "HTTP", "JSON", "Platform", "HTTPServer", "Sandbox"],
      path: "Tests/SandboxSupport", swiftSettings: strictTests),
    .target(
      name: "StorageTestSupport",
      dependencies: [
        "CivilTime", "Files", "HomelineOAuth", "Platform", "Settings", "Storage", "StorageSQLite", "Timeline",
      ],
      path: "Tests/StorageTestSupport", swiftSettings: strictTests),
    .target(name: "FaultInjection", path: "Tests/FaultInjection"),
    tests(of: "CivilTime"),
    tests(of: "HTTP", on: ["TestSupport"]),
    tests(of: "JSON", on: ["TestSupport"]),
    tests(of: "Timeline", on: ["CivilTime", "TestSupport"]),
    tests(of: "Platform", on: ["TestSupport"]),
    tests(of: "HomelineOAuth", on: ["JSON", "TestSupport"]),
    tests(of: "Settings", on: ["HomelineOAuth", "JSON", "Timeline", "TestSupport"]),
    tests(of: "Publish", on: ["CivilTime", "HomelineOAuth", "JSON", "Timeline", "TestSupport"]),
    .target(
      name: "HTTPTestServer", dependencies: ["HTTP", "HTTPServer", "Platform", "TestSupport"],
      path: "Tests/HTTPTestServer", swiftSettings: strictTests),
    tests(of: "HTTPServer", on: ["HTTP", "HTTPTestServer", "Platform", "TestSupport"]),
    tests(of: "CallbackListener", on: ["HTTP", "Platform", "TestSupport"]),
    tests(of: "HTTPClient", on: ["HTTP", "HTTPServer", "HTTPTestServer", "Platform", "TestSupport"]),
    tests(of: "Providers", on: ["CivilTime", "HomelineOAuth", "JSON", "Timeline", "TestSupport"]),
    tests(
      of: "Storage",
      on: [
        "CivilTime", "Files", "HomelineOAuth", "Platform", "Publish", "Settings", "StorageSQLite", "StorageTestSupport",
        "TestSupport", "Timeline",
      ]),
    tests(
      of: "StorageSQLite",
      on: [
        "CivilTime", "Files", "HomelineOAuth", "JSON", "Media", "Platform", "Publish", "Publishing", "Settings",
        "SQLite",
        "Storage", "StorageTestSupport", "Timeline", "TestSupport",
      ]),
    tests(of: "Control", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "Platform", "TestSupport"]),
    tests(
      of: "Sandbox",
      on: [
        "CivilTime", "HTTP", "HomelineOAuth", "JSON", "Platform", "SandboxSupport", "HTTPClient", "HTTPServer",
        "TestSupport",
      ]),
    tests(of: "Scheduling", on: ["CivilTime", "Settings", "TestSupport", "Timeline"]),
    tests(
      of: "Service",
      on: [
        "Accounts", "Login", "Refresh",
        "CallbackListener", "CivilTime", "Commands", "Control", "Files", "HTTP", "HomelineOAuth", "JSON", "Manual",
        "Media", "Platform", "Providers", "Publish", "Publishing", "Sandbox", "SandboxSupport", "Scheduling",
        "Settings",
        "Storage",
        "StorageSQLite", "StorageTestSupport", "Timeline", "HTTPClient", "HTTPServer", "TestSupport",
        "homeline-sandbox",
      ]),
    tests(of: "Manual", on: ["Commands", "Platform", "Settings", "TestSupport"]),
    tests(of: "Commands", on: ["CivilTime", "Control", "HomelineOAuth", "Platform", "Settings", "TestSupport"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CivilTime", "Files", "homeline", "homelined", "homeline-sandbox", "HomelineOAuth", "JSON", "Media", "Platform",
        "Publish", "Publishing", "Sandbox", "SandboxSupport", "Storage", "StorageSQLite", "StorageTestSupport",
        "Timeline", "TestSupport",
      ],
      swiftSettings: strictTests),
  ],
  swiftLanguageModes: [.v6]
)
