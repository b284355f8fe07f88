// swift-tools-version: 6.3
import PackageDescription

/// The settings of all Swift targets: Swift 6 with upcoming features, each unsafe
/// expression marked, and warnings as errors.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// The settings of test targets. Strict memory safety is off, because tests rarely use C.
let strictTests: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func target(_ name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, on dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: strictTests)
}

/// The mail address for `homeline report`. It is empty unless the environment variable is set, which `make` does.
let reportAddress = Context.environment["REPORT_ADDRESS"] ?? ""

let package = Package(
  name: "homeline",
  products: [
    .library(name: "HomelineOAuth", targets: ["HomelineOAuth"]),
    .library(name: "CallbackListener", targets: ["CallbackListener"]),
    .executable(name: "homeline", targets: ["homeline"]),
    .executable(name: "homelined", targets: ["homelined"]),
    .executable(name: "homeline-sandbox", targets: ["homeline-sandbox"]),
    // This library is preloaded into programs under test (Tests/FaultInjection/fault.c). It is a product, because only products are linked.
    .library(name: "FaultInjection", type: .dynamic, targets: ["FaultInjection"]),
  ],
  targets: [
    // The C targets are module maps, and functions that Swift cannot call.
    .target(name: "CLinux"),
    .target(name: "CPlainRun"),
    .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CQREncode", linkerSettings: [.linkedLibrary("qrencode")]),
    .target(name: "CUTF8Proc", linkerSettings: [.linkedLibrary("utf8proc")]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CBuildSettings", cSettings: [.define("REPORT_ADDRESS", to: "\"\(reportAddress)\"")]),
    // libcurl, libsystemd and libyaml are loaded at their first call (docs/decisions/0028-libraries-loaded-on-first-use.md).
    .target(name: "CLateBinding"),
    .target(name: "CCurl", dependencies: ["CLateBinding"]),
    .target(name: "CSystemd", dependencies: ["CLateBinding"]),
    .target(name: "CYAML", dependencies: ["CLateBinding"]),

    // Layer 0
    target("CivilTime"),
    target("HTTP"),
    target("JSON", on: ["CPlainRun"]),
    target("Timeline", on: ["CivilTime"]),
    target("PostText", on: ["CUTF8Proc"]),
    target("Posting", on: ["CivilTime"]),
    target("TerminalText"),
    target("Platform", on: ["CLinux", "CivilTime", "TerminalText"]),
    target("SandboxFaults"),

    // Layer 1
    target("HomelineOAuth", on: ["JSON", "COpenSSL"]),
    target("Ciphers", on: ["COpenSSL", "HomelineOAuth"]),
    target("Settings", on: ["JSON", "HomelineOAuth", "Timeline"]),
    target("Publish", on: ["CivilTime", "JSON", "TerminalText", "Timeline"]),

    // Layer 2
    target("Scheduling", on: ["CivilTime", "Settings", "Timeline"]),
    target("HTTPServer", on: ["HTTP", "Platform", "CLinux"]),
    target("CallbackListener", on: ["CivilTime", "HTTP", "HTTPServer", "Platform"]),
    target("HTTPClient", on: ["HTTP", "Platform", "CLinux", "CCurl"]),
    target(
      "Providers", on: ["CivilTime", "Drive", "HTTP", "HomelineOAuth", "JSON", "PostText", "Posting", "Timeline"]),
    target("Drive", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "COpenSSL"]),

    target(
      "Storage",
      on: ["CivilTime", "HomelineOAuth", "JSON", "Platform", "Posting", "Publish", "Settings", "Timeline"]),
    target("Files", on: ["CivilTime", "HomelineOAuth", "JSON", "Keyring", "MessageBus", "Platform", "Settings"]),
    target("MessageBus", on: ["CSystemd", "Platform"]),
    target("Keyring", on: ["COpenSSL", "Ciphers", "HomelineOAuth", "MessageBus", "Platform"]),

    target("Attachments", on: ["Platform", "Posting"]),
    target("ConfigurationStore", on: ["Platform", "Settings"]),
    target("Discovery", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "Settings"]),
    target("AccountImport", on: ["CYAML", "HomelineOAuth", "JSON"]),

    // Layer 3
    target("SQLite", on: ["CivilTime", "Platform", "Storage", "CSQLite"]),
    target("Media", on: ["CivilTime", "HomelineOAuth", "Platform", "SQLite", "Storage"]),
    target(
      "StorageSQLite",
      on: [
        "Ciphers", "CivilTime", "Files", "HomelineOAuth", "JSON", "Keyring", "Platform", "Posting", "Publish",
        "Settings", "SQLite", "Storage", "Timeline",
      ]),
    target(
      "Publishing",
      on: [
        "CivilTime", "Files", "JSON", "Media", "MessageBus", "Platform", "Publish", "Settings", "Storage", "Timeline",
      ]),
    target("Control", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "Platform", "Settings"]),
    target(
      "Sandbox",
      on: ["CivilTime", "HomelineOAuth", "HTTP", "JSON", "Platform", "HTTPServer", "SandboxFaults", "COpenSSL"]),

    target(
      "DriveTransfer",
      on: ["CivilTime", "Drive", "HTTP", "HTTPClient", "HomelineOAuth", "JSON", "Platform"]),

    // Layer 4
    target(
      "Accounts",
      on: [
        "CivilTime", "Files", "HTTP", "HTTPClient", "HomelineOAuth", "Media", "Platform", "PostText", "Posting",
        "Providers", "Publish", "Publishing", "Scheduling", "Settings", "Storage", "Timeline",
      ]),
    target(
      "Commands",
      on: [
        "CivilTime", "ConfigurationStore", "Control", "HTTP", "HomelineOAuth", "JSON", "Platform", "Posting", "Publish",
        "SandboxFaults", "Settings", "TerminalText", "CQREncode",
      ]),

    // Layer 5
    target(
      "Refresh",
      on: [
        "Accounts", "CivilTime", "HTTPClient", "HomelineOAuth", "Media", "Platform", "Providers", "Publishing",
        "Scheduling", "Settings", "Storage", "Timeline",
      ]),

    target(
      "Outbox",
      on: [
        "Accounts", "Attachments", "CivilTime", "HTTP", "HTTPClient", "HomelineOAuth", "Platform", "PostText",
        "Posting",
        "Providers", "Settings", "Storage", "Timeline",
      ]),

    // Layer 6
    target(
      "Login",
      on: [
        "Accounts", "CallbackListener", "CivilTime", "HTTP", "HTTPClient", "HTTPServer", "HomelineOAuth", "Platform",
        "Providers", "Publish", "Refresh", "Scheduling", "Settings", "Storage", "Timeline",
      ]),

    // Layer 7
    target(
      "Service",
      on: [
        "Accounts", "CivilTime", "Control", "Files", "HTTP", "HTTPClient", "HTTPServer", "HomelineOAuth", "Login",
        "Media", "Outbox", "Platform", "PostText", "Posting", "Providers", "Publish", "Publishing", "Refresh",
        "Scheduling", "Settings", "Storage", "Timeline",
      ]),

    // Layer 8
    target(
      "Backup",
      on: [
        "Attachments", "Ciphers", "CivilTime", "COpenSSL", "ConfigurationStore", "Files", "HomelineOAuth", "JSON",
        "Platform", "Posting", "Settings", "Storage", "StorageSQLite",
      ]),
    target(
      "Diagnosis",
      on: [
        "Accounts", "CBuildSettings", "CivilTime", "Commands", "ConfigurationStore", "Control", "Files", "HTTP",
        "HTTPClient", "HomelineOAuth", "JSON", "Keyring", "Platform", "Providers", "Publish", "SQLite", "Settings",
        "Storage", "StorageSQLite", "TerminalText", "Timeline",
      ]),

    // Layer 9
    .executableTarget(
      name: "homeline",
      dependencies: [
        "AccountImport", "Backup", "CivilTime", "Commands", "ConfigurationStore", "Control", "Discovery", "Files",
        "HTTP",
        "HomelineOAuth", "JSON", "Keyring", "Media",
        "Platform", "PostText", "Posting", "Publish", "Settings", "Storage", "StorageSQLite", "TerminalText",
        "Timeline",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "homelined",
      dependencies: [
        "Accounts", "CivilTime", "Commands", "ConfigurationStore", "Control", "Diagnosis", "Discovery", "Drive",
        "DriveTransfer", "Files", "HTTP", "HTTPClient",
        "HomelineOAuth", "JSON", "Keyring", "Login", "Platform",
        "Publish", "Refresh", "Scheduling", "Service", "Settings",
        "Storage", "StorageSQLite", "TerminalText", "Timeline", "HTTPServer",
      ],
      swiftSettings: strict),

    .executableTarget(
      name: "homeline-sandbox",
      dependencies: ["CivilTime", "Commands", "HTTP", "HomelineOAuth", "Platform", "HTTPServer", "Sandbox"],
      swiftSettings: strict),

    // This program generates the manual pages and the commands' reference. It is not installed.
    target("Manual", on: ["Commands", "Platform"]),
    .executableTarget(
      name: "homeline-manual", dependencies: ["Commands", "Manual", "Platform"], swiftSettings: strict),

    // The fuzzers need --sanitize=fuzzer (Fuzz/README.md).
    .executableTarget(
      name: "FuzzRequestParser", dependencies: ["HTTP"], path: "Fuzz/RequestParser", swiftSettings: strict),
    .executableTarget(
      name: "FuzzProviderResponse",
      dependencies: ["CivilTime", "HomelineOAuth", "Providers", "Publish", "Timeline"],
      path: "Fuzz/ProviderResponse", swiftSettings: strict),
    .executableTarget(
      name: "FuzzFormDecoding", dependencies: ["HomelineOAuth"], path: "Fuzz/FormDecoding", swiftSettings: strict),
    .executableTarget(
      name: "FuzzMediaFile", dependencies: ["Attachments"], path: "Fuzz/MediaFile", swiftSettings: strict),
    .executableTarget(
      name: "FuzzConfiguration", dependencies: ["JSON", "Settings"], path: "Fuzz/Configuration", swiftSettings: strict),
    .executableTarget(
      name: "FuzzTokenFile", dependencies: ["Storage", "StorageSQLite"], path: "Fuzz/TokenFile", swiftSettings: strict),
    .executableTarget(
      name: "FuzzSearchQuery",
      dependencies: ["CivilTime", "Files", "Platform", "Storage", "StorageSQLite", "Timeline"],
      path: "Fuzz/SearchQuery",
      swiftSettings: strict),

    // The benchmarks measure the code that the service runs (Benchmarks/README.md). They are not installed.
    .target(
      name: "Benchmarking",
      dependencies: [
        "CivilTime", "Files", "HomelineOAuth", "Media", "Platform", "Providers", "Publish", "Publishing", "Settings",
        "Storage", "StorageSQLite", "StorageTestSupport", "Timeline",
      ],
      path: "Benchmarks/Benchmarking", swiftSettings: strict),
    .target(name: "Contenders", dependencies: ["COpenSSL"], path: "Benchmarks/Contenders"),
    .executableTarget(
      name: "homeline-bench",
      dependencies: [
        "Benchmarking", "CivilTime", "Contenders", "Files", "HomelineOAuth", "JSON", "Media", "Platform", "Publish",
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

    // Each module has a test target, and there are end-to-end tests of the programs.
    .target(name: "TestSupport", dependencies: ["CLinux"], path: "Tests/TestSupport", swiftSettings: strictTests),
    .target(
      name: "SandboxSupport",
      dependencies: ["CivilTime", "HTTP", "JSON", "Platform", "HTTPServer", "Sandbox", "SandboxFaults"],
      path: "Tests/SandboxSupport", swiftSettings: strictTests),
    .target(
      name: "StorageTestSupport",
      dependencies: [
        "CivilTime", "Files", "HomelineOAuth", "Platform", "Posting", "Settings", "Storage", "StorageSQLite",
        "Timeline",
      ],
      path: "Tests/StorageTestSupport", swiftSettings: strictTests),
    .target(name: "FaultInjection", path: "Tests/FaultInjection"),
    tests(of: "CivilTime"),
    tests(of: "HTTP", on: ["TestSupport"]),
    // CPlainRun for processors without SSE2, beside the one for this processor.
    .target(name: "PortablePlainRun", dependencies: ["CPlainRun"], path: "Tests/PortablePlainRun"),
    tests(of: "JSON", on: ["CPlainRun", "PortablePlainRun", "TestSupport"]),
    tests(of: "Timeline", on: ["CivilTime", "TestSupport"]),
    tests(of: "PostText", on: ["JSON", "TestSupport"]),
    tests(of: "Posting", on: ["CivilTime", "TestSupport"]),
    tests(of: "TerminalText", on: ["TestSupport"]),
    tests(of: "Platform", on: ["TerminalText", "TestSupport"]),
    tests(of: "HomelineOAuth", on: ["JSON", "TestSupport"]),
    tests(of: "Settings", on: ["HomelineOAuth", "JSON", "Timeline", "TestSupport"]),
    tests(of: "Publish", on: ["CivilTime", "HomelineOAuth", "JSON", "TerminalText", "Timeline", "TestSupport"]),
    .target(
      name: "HTTPTestServer", dependencies: ["HTTP", "HTTPServer", "Platform", "TestSupport"],
      path: "Tests/HTTPTestServer", swiftSettings: strictTests),
    tests(of: "HTTPServer", on: ["HTTP", "HTTPTestServer", "Platform", "TestSupport"]),
    tests(of: "CallbackListener", on: ["HTTP", "Platform", "TestSupport"]),
    .target(
      name: "KeyringTestSupport", dependencies: ["HomelineOAuth", "Keyring", "MessageBus", "Platform", "TestSupport"],
      path: "Tests/KeyringTestSupport", swiftSettings: strictTests),
    tests(of: "Ciphers", on: ["HomelineOAuth", "TestSupport"]),
    tests(of: "Keyring", on: ["HomelineOAuth", "KeyringTestSupport", "MessageBus", "Platform", "TestSupport"]),
    tests(of: "HTTPClient", on: ["HTTP", "HTTPServer", "HTTPTestServer", "Platform", "TestSupport"]),
    tests(
      of: "Providers",
      on: ["CivilTime", "Drive", "HomelineOAuth", "JSON", "PostText", "Posting", "Publish", "Timeline", "TestSupport"]),
    tests(of: "Drive", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "TestSupport"]),
    tests(
      of: "DriveTransfer",
      on: [
        "CivilTime", "Drive", "HTTP", "HTTPClient", "HTTPServer", "HomelineOAuth", "Platform", "Sandbox",
        "SandboxFaults", "SandboxSupport", "TestSupport",
      ]),
    tests(
      of: "Storage",
      on: [
        "CivilTime", "Files", "HomelineOAuth", "Platform", "Posting", "Publish", "Settings", "StorageSQLite",
        "StorageTestSupport",
        "TestSupport", "Timeline",
      ]),
    tests(
      of: "StorageSQLite",
      on: [
        "CivilTime", "Files", "HomelineOAuth", "JSON", "Keyring", "KeyringTestSupport", "Media", "Platform", "Publish",
        "Publishing", "Settings",
        "SQLite",
        "Storage", "StorageTestSupport", "Timeline", "TestSupport",
      ]),
    tests(of: "Attachments", on: ["Platform", "TestSupport"]),
    tests(of: "Discovery", on: ["HTTP", "HomelineOAuth", "TestSupport"]),
    tests(of: "AccountImport", on: ["HomelineOAuth", "TestSupport"]),
    tests(of: "ConfigurationStore", on: ["Platform", "Settings", "TestSupport"]),
    tests(of: "Control", on: ["CivilTime", "HTTP", "HomelineOAuth", "JSON", "Platform", "Settings", "TestSupport"]),
    tests(
      of: "Sandbox",
      on: [
        "CivilTime", "HTTP", "HomelineOAuth", "JSON", "Platform", "SandboxFaults", "SandboxSupport", "HTTPClient",
        "HTTPServer", "TestSupport",
      ]),
    tests(of: "Scheduling", on: ["CivilTime", "Settings", "TestSupport", "Timeline"]),
    tests(
      of: "Service",
      on: [
        "Accounts", "Login", "Refresh",
        "CallbackListener", "CivilTime", "Commands", "Control", "Files", "HTTP", "HomelineOAuth", "JSON", "Manual",
        "Media", "Outbox", "Platform", "Providers", "Publish", "Publishing", "Sandbox", "SandboxFaults",
        "SandboxSupport",
        "Scheduling",
        "PostText", "Posting", "Settings",
        "Storage",
        "StorageSQLite", "StorageTestSupport", "Timeline", "HTTPClient", "HTTPServer", "TestSupport",
        "homeline-sandbox",
      ]),
    tests(of: "Backup", on: ["Files", "HomelineOAuth", "Platform", "TestSupport"]),
    tests(
      of: "Diagnosis",
      on: [
        "CivilTime", "Commands", "Files", "HomelineOAuth", "Platform", "Publish", "Storage", "StorageSQLite",
        "TerminalText", "TestSupport", "Timeline",
      ]),
    tests(of: "Manual", on: ["Commands", "Platform", "Settings", "TestSupport"]),
    tests(
      of: "Commands",
      on: ["CivilTime", "Control", "HTTP", "HomelineOAuth", "Platform", "Settings", "TerminalText", "TestSupport"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CivilTime", "Commands", "Files", "homeline", "homelined", "homeline-sandbox", "HomelineOAuth", "JSON",
        "KeyringTestSupport",
        "Media", "Platform",
        "Publish", "Publishing", "Sandbox", "SandboxFaults", "SandboxSupport", "Storage", "StorageSQLite",
        "StorageTestSupport", "TerminalText", "Timeline", "TestSupport",
      ],
      swiftSettings: strictTests),
  ],
  swiftLanguageModes: [.v6]
)
