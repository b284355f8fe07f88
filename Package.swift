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

/// The folders of `Sources` and of `Tests`, lowest first. A target uses targets of lower floors, and those above it in its own list.
/// `make lint` checks this (scripts/check-floors).
enum Floor: String {
  case c = "1-C"
  case base = "2-Base"
  case libraries = "3-Libraries"
  case domain = "4-Domain"
  case edges = "5-Edges"
  case accounts = "6-Accounts"
  case service = "7-Service"
  case sandbox = "8-Sandbox"
  case programs = "9-Programs"
}

func c(
  _ name: String, uses: [Target.Dependency] = [], settings: [CSetting] = [], links library: String? = nil
) -> Target {
  .target(
    name: name, dependencies: uses, path: "Sources/\(Floor.c.rawValue)/\(name)", cSettings: settings,
    linkerSettings: library.map { [.linkedLibrary($0)] } ?? [])
}

func target(_ name: String, on floor: Floor, uses: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: uses, path: "Sources/\(floor.rawValue)/\(name)", swiftSettings: strict)
}

func program(_ name: String, on floor: Floor, uses: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: uses, path: "Sources/\(floor.rawValue)/\(name)", swiftSettings: strict)
}

func tests(of name: String, on floor: Floor, uses: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + uses, path: "Tests/\(floor.rawValue)/\(name)Tests",
    swiftSettings: strictTests)
}

func testSupport(_ name: String, uses: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: uses, path: "Tests/Support/\(name)", swiftSettings: strictTests)
}

/// A fuzzer needs `--sanitize=fuzzer` (Fuzz/README.md).
func fuzzer(_ name: String, uses: [Target.Dependency]) -> Target {
  .executableTarget(name: "Fuzz\(name)", dependencies: uses, path: "Fuzz/\(name)", swiftSettings: strict)
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
    // This library is preloaded into programs under test (Tests/Support/FaultInjection/fault.c). It is a product, because only products are linked.
    .library(name: "FaultInjection", type: .dynamic, targets: ["FaultInjection"]),
  ],
  targets: [
    // 1-C: module maps, and functions that Swift cannot call.
    c("CLinux"),
    c("CPlainRun"),
    c("CConstantTime"),
    c("COpenSSL", links: "crypto"),
    c("CUTF8Proc", links: "utf8proc"),
    c("CSQLite", links: "sqlite3"),
    c("CBuildSettings", settings: [.define("REPORT_ADDRESS", to: "\"\(reportAddress)\"")]),
    // libcurl, libqrencode, libsystemd, libyaml and libidn2 are loaded at their first call (docs/decisions/0028-libraries-loaded-on-first-use.md).
    c("CLateBinding"),
    c("CCurl", uses: ["CLateBinding"]),
    c("CQREncode", uses: ["CLateBinding"]),
    c("CSystemd", uses: ["CLateBinding"]),
    c("CYAML", uses: ["CLateBinding"]),
    c("CIDN", uses: ["CLateBinding"]),
    // Each program declares the libraries that it loads.
    c("CHomeline", uses: ["CLateBinding"]),
    c("CHomelined", uses: ["CLateBinding"]),

    // 2-Base: Values and the operating system.
    target("Time", on: .base),
    target("Bytes", on: .base, uses: ["CConstantTime", "CIDN"]),
    target("Cryptography", on: .base, uses: ["COpenSSL"]),
    target("TerminalText", on: .base),
    target("JSON", on: .base, uses: ["CPlainRun"]),
    target("HTTP", on: .base),
    target("Platform", on: .base, uses: ["CLinux", "CSystemd", "TerminalText"]),

    // 3-Libraries: OAuth, and both ends of HTTP. HomelineOAuth and CallbackListener are products.
    target("OAuthValues", on: .libraries, uses: ["Bytes"]),
    target("HomelineOAuth", on: .libraries, uses: ["Time", "Bytes", "Cryptography", "JSON", "OAuthValues"]),
    target("HTTPServer", on: .libraries, uses: ["CLinux", "HTTP", "Platform"]),
    target("HTTPClient", on: .libraries, uses: ["CLinux", "CCurl", "HTTP", "Platform"]),
    target("CallbackListener", on: .libraries, uses: ["Time", "HTTP", "Platform", "HTTPServer"]),
    target("Keyring", on: .libraries, uses: ["COpenSSL", "Bytes", "Cryptography", "Platform"]),

    // 4-Domain: What homeline is about: posts, settings, schedules and formats, without files and requests.
    target("Timeline", on: .domain, uses: ["Time", "JSON", "OAuthValues"]),
    target("Settings", on: .domain, uses: ["Bytes", "JSON", "OAuthValues", "Timeline"]),
    target("Posting", on: .domain, uses: ["CUTF8Proc", "Time", "Timeline"]),
    target("Scheduling", on: .domain, uses: ["Time", "Timeline", "Settings"]),
    target("Formats", on: .domain, uses: ["Time", "TerminalText", "JSON", "HTTP", "Timeline"]),

    // 5-Edges: What homeline talks to: servers' APIs, files and databases.
    target(
      "Drive", on: .edges,
      uses: ["COpenSSL", "Time", "Bytes", "Cryptography", "JSON", "HTTP", "Platform", "HomelineOAuth", "HTTPClient"]),
    target(
      "Providers", on: .edges,
      uses: [
        "Time", "Bytes", "Cryptography", "JSON", "HTTP", "HomelineOAuth", "HTTPClient", "Timeline", "Posting", "Drive",
      ]),
    target("Discovery", on: .edges, uses: ["CYAML", "Time", "Bytes", "JSON", "HTTP", "HomelineOAuth", "Settings"]),
    target("Attachments", on: .edges, uses: ["Platform", "Posting"]),
    target(
      "Storage", on: .edges,
      uses: ["Time", "Bytes", "JSON", "Platform", "HomelineOAuth", "Timeline", "Settings", "Posting"]),
    target("Folders", on: .edges, uses: ["Time", "JSON", "Platform", "OAuthValues", "Timeline", "Settings"]),
    target("Secrets", on: .edges, uses: ["Bytes", "Platform", "Keyring", "Settings"]),
    target(
      "StorageFiles", on: .edges,
      uses: [
        "Time", "Bytes", "Cryptography", "JSON", "Platform", "HomelineOAuth", "Keyring", "Timeline", "Settings",
        "Posting", "Storage", "Folders",
      ]),
    target(
      "StorageSQLite", on: .edges,
      uses: [
        "CSQLite", "Time", "JSON", "Platform", "Timeline", "Settings", "Formats", "Storage", "Folders", "StorageFiles",
      ]),
    target(
      "PublishedFiles", on: .edges,
      uses: [
        "Time", "Cryptography", "JSON", "Platform", "Timeline", "Settings", "Formats", "Storage", "Folders",
        "StorageSQLite",
      ]),

    // 6-Accounts: The work of one account on its queue.
    target(
      "Accounts", on: .accounts,
      uses: [
        "Time", "Bytes", "HTTP", "Platform", "HomelineOAuth", "HTTPClient", "Timeline", "Settings", "Posting",
        "Scheduling", "Formats", "Providers", "Attachments", "Storage", "Folders", "PublishedFiles",
      ]),
    target(
      "Login", on: .accounts,
      uses: [
        "Time", "Bytes", "Cryptography", "HTTP", "Platform", "HomelineOAuth", "HTTPServer", "HTTPClient",
        "CallbackListener", "Timeline", "Settings", "Scheduling", "Formats", "Providers", "Storage", "Accounts",
      ]),

    // 7-Service: All accounts, the commands, and what the programs share.
    target(
      "ControlProtocol", on: .service,
      uses: ["Time", "Bytes", "JSON", "HTTP", "Platform", "OAuthValues", "Settings"]),
    target(
      "Service", on: .service,
      uses: [
        "Time", "Bytes", "Cryptography", "HTTP", "Platform", "HomelineOAuth", "HTTPServer", "HTTPClient", "Timeline",
        "Settings", "Posting", "Scheduling", "Formats", "Providers", "Storage", "Folders", "Secrets", "PublishedFiles",
        "Accounts", "Login", "ControlProtocol",
      ]),
    target(
      "Commands", on: .service,
      uses: [
        "CQREncode", "Time", "Bytes", "TerminalText", "JSON", "HTTP", "Platform", "OAuthValues", "Timeline", "Settings",
        "Posting", "Folders", "ControlProtocol",
      ]),
    target(
      "LocalCommands", on: .service,
      uses: [
        "Time", "TerminalText", "JSON", "Platform", "Timeline", "Settings", "Formats", "Folders", "ControlProtocol",
        "Commands",
      ]),
    target(
      "Status", on: .service,
      uses: [
        "Time", "Bytes", "TerminalText", "JSON", "HTTP", "Platform", "HomelineOAuth", "Timeline", "Settings", "Posting",
        "Formats", "Storage", "Folders", "PublishedFiles", "ControlProtocol", "Commands",
      ]),
    target(
      "Diagnosis", on: .service,
      uses: [
        "CBuildSettings", "Time", "Bytes", "Cryptography", "TerminalText", "JSON", "HTTP", "Platform", "HomelineOAuth",
        "HTTPClient", "Keyring", "Timeline", "Settings", "Posting", "Providers", "Storage", "Folders", "Secrets",
        "StorageFiles", "StorageSQLite", "Accounts", "ControlProtocol", "Commands",
      ]),
    target(
      "Backup", on: .service,
      uses: [
        "COpenSSL", "Time", "Bytes", "Cryptography", "JSON", "Platform", "Settings", "Posting",
        "Attachments", "Storage", "Folders", "StorageFiles", "StorageSQLite",
      ]),
    target(
      "Web", on: .service,
      uses: [
        "Time", "Bytes", "Cryptography", "JSON", "HTTP", "Platform", "OAuthValues", "HomelineOAuth", "HTTPServer",
        "CallbackListener", "Timeline", "Settings", "Posting", "Formats", "Attachments", "Providers", "Storage",
        "Folders", "StorageSQLite", "PublishedFiles", "Accounts", "ControlProtocol", "Commands", "Status",
        "Diagnosis",
      ]),

    // 8-Sandbox: Simulated providers.
    target(
      "Sandbox", on: .sandbox,
      uses: [
        "COpenSSL", "Time", "Bytes", "Cryptography", "JSON", "HTTP", "Platform", "HomelineOAuth", "HTTPServer",
        "Settings",
      ]),

    // 9-Programs
    program(
      "homeline", on: .programs,
      uses: [
        "CHomeline", "Time", "TerminalText", "JSON", "Platform", "Settings", "Folders", "Commands", "LocalCommands",
      ]),
    program(
      "homelined", on: .programs,
      uses: [
        "CHomelined", "Time", "Bytes", "Cryptography", "TerminalText", "JSON", "HTTP", "Platform", "HomelineOAuth",
        "HTTPServer", "HTTPClient", "Keyring", "Timeline", "Settings", "Posting", "Formats", "Drive", "Discovery",
        "Storage", "Folders", "Secrets", "StorageFiles", "StorageSQLite", "PublishedFiles", "Accounts", "Login",
        "ControlProtocol", "Service", "Commands", "LocalCommands", "Status", "Diagnosis", "Backup", "Web",
      ]),
    program(
      "homeline-sandbox", on: .programs, uses: ["Time", "HTTP", "Platform", "HTTPServer", "Commands", "Sandbox"]),
    program("homeline-manual", on: .programs, uses: ["Platform", "Commands"]),

    // The fuzzers of everything that comes from outside.
    fuzzer("Configuration", uses: ["JSON", "Settings"]),
    fuzzer("FormDecoding", uses: ["Bytes", "HomelineOAuth"]),
    fuzzer("MediaFile", uses: ["Attachments"]),
    fuzzer("MultipartReader", uses: ["HTTP"]),
    fuzzer("OutboxRecord", uses: ["Time", "Posting", "StorageFiles", "StorageSQLite"]),
    fuzzer(
      "ProviderResponse",
      uses: ["Time", "Bytes", "HTTP", "HomelineOAuth", "Timeline", "Posting", "Formats", "Providers"]),
    fuzzer("RequestParser", uses: ["HTTP"]),
    fuzzer("SearchQuery", uses: ["Time", "Platform", "Timeline", "Storage", "Folders", "StorageSQLite"]),
    fuzzer("TokenFile", uses: ["Storage", "StorageFiles"]),
    fuzzer("WebPath", uses: ["HTTP", "Web"]),

    // The benchmarks measure the code that the service runs (Benchmarks/README.md). They are not installed.
    .target(
      name: "Benchmarking",
      dependencies: [
        "Time", "Platform", "HomelineOAuth", "Timeline", "Settings", "Formats", "Providers", "Storage", "Folders",
        "StorageFiles", "StorageSQLite", "PublishedFiles", "StorageTestSupport",
      ],
      path: "Benchmarks/Benchmarking", swiftSettings: strict),
    .target(name: "Contenders", dependencies: ["COpenSSL"], path: "Benchmarks/Contenders"),
    .executableTarget(
      name: "homeline-bench",
      dependencies: [
        "Time", "Bytes", "JSON", "Platform", "HomelineOAuth", "Timeline", "Formats", "Storage", "Folders",
        "StorageFiles", "StorageSQLite", "PublishedFiles", "TestSupport", "StorageTestSupport", "Benchmarking",
        "Contenders",
      ],
      path: "Benchmarks/homeline-bench", swiftSettings: strict),
    .executableTarget(
      name: "homeline-bench-network",
      dependencies: [
        "Time", "Bytes", "HTTP", "Platform", "HomelineOAuth", "HTTPServer", "HTTPClient", "CallbackListener",
        "Timeline", "Providers", "Accounts", "Login", "Service", "Benchmarking",
      ],
      path: "Benchmarks/homeline-bench-network", swiftSettings: strict),

    // What several test targets use.
    testSupport("TestSupport", uses: ["CLinux"]),
    testSupport("HTTPTestServer", uses: ["HTTP", "Platform", "HTTPServer", "TestSupport"]),
    testSupport("SandboxSupport", uses: ["Time", "JSON", "HTTP", "Platform", "HTTPServer", "Settings", "Sandbox"]),
    testSupport(
      "StorageTestSupport",
      uses: [
        "Time", "Platform", "HomelineOAuth", "Timeline", "Settings", "Posting", "Storage", "Folders", "StorageSQLite",
        "PublishedFiles",
      ]),
    testSupport("KeyringTestSupport", uses: ["Bytes", "Platform", "Keyring", "TestSupport"]),
    .target(name: "FaultInjection", path: "Tests/Support/FaultInjection"),
    // CPlainRun for processors without SSE2, beside the one for this processor.
    .target(name: "PortablePlainRun", dependencies: ["CPlainRun"], path: "Tests/Support/PortablePlainRun"),

    // The tests of the targets, and of the programs (EndToEndTests).
    tests(of: "Time", on: .base),
    tests(of: "Bytes", on: .base, uses: ["HomelineOAuth"]),
    tests(of: "Cryptography", on: .base, uses: ["Keyring"]),
    tests(of: "TerminalText", on: .base, uses: ["TestSupport"]),
    tests(of: "JSON", on: .base, uses: ["CPlainRun", "TestSupport", "PortablePlainRun"]),
    tests(of: "HTTP", on: .base, uses: ["TestSupport"]),
    tests(of: "Platform", on: .base, uses: ["TestSupport"]),
    tests(of: "HomelineOAuth", on: .libraries, uses: ["Bytes", "Cryptography", "TestSupport"]),
    tests(of: "HTTPServer", on: .libraries, uses: ["HTTP", "Platform", "TestSupport", "HTTPTestServer"]),
    tests(
      of: "HTTPClient", on: .libraries,
      uses: ["CCurl", "HTTP", "Platform", "HTTPServer", "TestSupport", "HTTPTestServer"]),
    tests(of: "CallbackListener", on: .libraries, uses: ["Time", "HTTP", "Platform", "TestSupport"]),
    tests(of: "Keyring", on: .libraries, uses: ["Bytes", "Platform", "TestSupport", "KeyringTestSupport"]),
    tests(of: "Timeline", on: .domain, uses: ["Time", "Cryptography", "TestSupport"]),
    tests(
      of: "Settings", on: .domain, uses: ["Bytes", "Cryptography", "JSON", "HomelineOAuth", "Timeline", "TestSupport"]),
    tests(of: "Posting", on: .domain, uses: ["Time", "Timeline", "TestSupport"]),
    tests(of: "Scheduling", on: .domain, uses: ["Time", "Timeline", "Settings", "TestSupport"]),
    tests(
      of: "Formats", on: .domain,
      uses: [
        "Time", "Bytes", "Cryptography", "TerminalText", "JSON", "HTTP", "HomelineOAuth", "Timeline", "TestSupport",
      ]),
    tests(
      of: "Drive", on: .edges,
      uses: [
        "Time", "Bytes", "HTTP", "Platform", "HomelineOAuth", "HTTPClient", "Settings", "Sandbox", "TestSupport",
        "SandboxSupport",
      ]),
    tests(
      of: "Providers", on: .edges,
      uses: [
        "Time", "Bytes", "JSON", "HTTP", "HomelineOAuth", "HTTPClient", "Timeline", "Posting", "Formats", "Drive",
        "TestSupport",
      ]),
    tests(of: "Discovery", on: .edges, uses: ["Bytes", "HTTP", "HomelineOAuth", "TestSupport"]),
    tests(of: "Attachments", on: .edges, uses: ["Platform", "Posting", "TestSupport"]),
    tests(
      of: "Storage", on: .edges,
      uses: [
        "Time", "Bytes", "Platform", "Timeline", "Settings", "Posting", "Formats", "Folders", "StorageSQLite",
        "TestSupport", "StorageTestSupport",
      ]),
    tests(of: "Folders", on: .edges, uses: ["Platform", "Settings", "TestSupport"]),
    tests(
      of: "StorageSQLite", on: .edges,
      uses: [
        "CSQLite", "Time", "Bytes", "Platform", "HomelineOAuth", "Keyring", "Timeline", "Settings", "Posting",
        "Formats",
        "Storage", "Folders", "Secrets", "StorageFiles", "PublishedFiles", "TestSupport", "StorageTestSupport",
        "KeyringTestSupport",
      ]),
    tests(of: "ControlProtocol", on: .service, uses: ["Time", "Bytes", "HTTP", "Platform", "Settings", "TestSupport"]),
    tests(
      of: "Service", on: .service,
      uses: [
        "Time", "Bytes", "JSON", "HTTP", "Platform", "HomelineOAuth", "HTTPServer", "HTTPClient", "CallbackListener",
        "Timeline", "Settings", "Posting", "Scheduling", "Formats", "Providers", "Storage", "Folders", "StorageFiles",
        "StorageSQLite", "PublishedFiles", "Accounts", "Login", "ControlProtocol", "Commands", "Sandbox",
        "homeline-manual", "TestSupport", "SandboxSupport", "StorageTestSupport", "homeline-sandbox",
      ]),
    tests(
      of: "Commands", on: .service,
      uses: [
        "Time", "Bytes", "Cryptography", "TerminalText", "HTTP", "Platform", "HomelineOAuth", "Timeline", "Settings",
        "ControlProtocol", "TestSupport",
      ]),
    tests(
      of: "Diagnosis", on: .service,
      uses: [
        "Time", "Bytes", "TerminalText", "Platform", "Timeline", "Storage", "Folders", "StorageSQLite", "Commands",
        "TestSupport",
      ]),
    tests(of: "Backup", on: .service, uses: ["Bytes", "Platform", "Folders", "TestSupport"]),
    tests(
      of: "Web", on: .service,
      uses: [
        "Time", "Cryptography", "HTTP", "Platform", "OAuthValues", "HTTPServer", "Timeline", "Settings", "Posting",
        "Formats", "Storage", "Folders", "StorageSQLite", "ControlProtocol", "TestSupport", "StorageTestSupport",
      ]),
    tests(
      of: "Sandbox", on: .sandbox,
      uses: [
        "Time", "Bytes", "Cryptography", "JSON", "HTTP", "Platform", "HomelineOAuth", "HTTPServer", "HTTPClient",
        "Settings", "TestSupport", "SandboxSupport",
      ]),
    tests(of: "homeline-manual", on: .programs, uses: ["Platform", "Timeline", "Settings", "Commands", "TestSupport"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Time", "Bytes", "Cryptography", "TerminalText", "JSON", "HTTP", "Platform", "HomelineOAuth", "Timeline",
        "Settings", "Formats", "Storage", "Folders", "StorageFiles", "StorageSQLite", "PublishedFiles", "Commands",
        "Sandbox", "TestSupport", "SandboxSupport", "StorageTestSupport", "KeyringTestSupport", "homeline", "homelined",
        "homeline-sandbox", "homeline-manual",
      ],
      path: "Tests/9-Programs/EndToEndTests", swiftSettings: strictTests),
  ],
  swiftLanguageModes: [.v6]
)
